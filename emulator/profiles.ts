/** `documented`: the documented interface. `extended`: also Axiom's additions. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];
