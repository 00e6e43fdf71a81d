import "../nodeVersion";
import { annotation } from "../../lifecycle/annotation";
import { dynamicProvider } from "../adapter";

export = dynamicProvider(annotation);
