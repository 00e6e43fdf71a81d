import { dynamicForm } from "../../framework/dynamic/adapter";
import { connect } from "../account/connection";
import { hostedDeploymentAnnotation } from "../deploymentAnnotation/lifecycle";

export const handler = () => dynamicForm(connect, hostedDeploymentAnnotation);
