import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedApiToken } from "../nouns/apiToken/lifecycle";

export const handler = () => dynamicForm(hostedApiToken);
