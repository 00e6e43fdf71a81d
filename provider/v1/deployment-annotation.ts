import { dynamicForm } from "../../framework/dynamic/adapter";
import { hostedDeploymentAnnotation } from "../nouns/deploymentAnnotation/lifecycle";
import { connect } from "../shared/account/connection";

export const handler = () => dynamicForm(connect, hostedDeploymentAnnotation);
