import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedQueryGate } from "../nouns/queryGate/lifecycle";
import { connect } from "../shared/account/connection";

export const handler = () => dynamicForm(connect, hostedQueryGate);
