import { dynamicForm } from "../../framework/dynamic/adapter";
import { connect } from "../account/connection";
import { hostedApiToken } from "../apiToken/lifecycle";

export const handler = () => dynamicForm(connect, hostedApiToken);
