import "../../session/start";
import { annotation } from "../../lifecycle/annotation/annotation";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(annotation);
