import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedDeploymentAnnotation } from "../nouns/deploymentAnnotation/lifecycle";

export const handler = () => dynamicForm(hostedDeploymentAnnotation);
