import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedApiToken } from "../nouns/apiToken/lifecycle";
import { connect } from "../shared/account/connection";

export const handler = () => dynamicForm(connect, hostedApiToken);
