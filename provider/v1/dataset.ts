import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedDataset } from "../nouns/dataset/lifecycle";
import { connect } from "../shared/account/connection";

export const handler = () => dynamicForm(connect, hostedDataset);
