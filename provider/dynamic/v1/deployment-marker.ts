import "../../session/start";
import { deploymentMarker } from "../../lifecycle/annotation/deploymentMarker";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(deploymentMarker);
