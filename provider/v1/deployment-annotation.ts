import "../../framework/start";
import { dynamicProvider } from "../../framework/dynamic/adapter";
import { hostedDeploymentAnnotation } from "../deploymentAnnotation/lifecycle";
import { dynamicHost } from "../dynamicHost";

export = dynamicProvider(dynamicHost, hostedDeploymentAnnotation);
