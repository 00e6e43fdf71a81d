import "../nodeVersion";
import { deploymentMarker } from "../../lifecycle/deploymentMarker";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(deploymentMarker);
