import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedAnnotation } from "../nouns/annotation/lifecycle";
import { connect } from "../shared/account/connection";

export const handler = () => dynamicForm(connect, hostedAnnotation);
