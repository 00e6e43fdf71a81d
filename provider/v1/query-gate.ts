import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedQueryGate } from "../nouns/queryGate/lifecycle";

export const handler = () => dynamicForm(hostedQueryGate);
