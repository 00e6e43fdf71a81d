import { dynamicForm } from "../../framework/dynamic/adapter";
import { connect } from "../account/connection";
import { hostedQueryGate } from "../queryGate/lifecycle";

export const handler = () => dynamicForm(connect, hostedQueryGate);
