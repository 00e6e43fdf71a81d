import "../../framework/start";
import { dynamicProvider } from "../../framework/dynamic/adapter";
import { hostedAnnotation } from "../annotation/lifecycle";
import { dynamicHost } from "../dynamicHost";

export = dynamicProvider(dynamicHost, hostedAnnotation);
