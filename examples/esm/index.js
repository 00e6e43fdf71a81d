// An ES module that awaits a lookup at the top level before it declares a resource.
import { Annotation, getTokens } from "pulumi-event-datasets";

const { tokens } = await getTokens();

const counted = new Annotation("counted", {
  datasets: ["audit"],
  title: `${tokens.length} tokens before this update`,
  type: "audit",
});

export const before = tokens.length;
export const annotationId = counted.id;
