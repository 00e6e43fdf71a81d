import "../../framework/start";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { eventDatasets } from "../nouns";

export = dynamicForm(eventDatasets, "Annotation");
