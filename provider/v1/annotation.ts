import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedAnnotation } from "../nouns/annotation/lifecycle";

export const handler = () => dynamicForm(hostedAnnotation);
