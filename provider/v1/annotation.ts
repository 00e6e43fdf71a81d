import { dynamicForm } from "../../framework/dynamic/adapter";
import { connect } from "../account/connection";
import { hostedAnnotation } from "../annotation/lifecycle";

export const handler = () => dynamicForm(connect, hostedAnnotation);
