import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedDataset } from "../nouns/dataset/lifecycle";

export const handler = () => dynamicForm(hostedDataset);
