/** Where a resource stands in a stack. */
export interface Place {
  readonly urn: string;
  readonly name: string;
  readonly project: string;
  readonly stack: string;
  /** Tells something of this resource. */
  readonly warn: (message: string) => Promise<void>;
}

/** What a resource's URN says of where it stands: `urn:pulumi:STACK::PROJECT::TYPE::NAME`. */
export function placeOf(urn: string, warn: Place["warn"]): Place {
  const [head = "", project = "", , ...name] = urn.split("::");
  return { urn, name: name.join("::"), project, stack: head.slice("urn:pulumi:".length), warn };
}
