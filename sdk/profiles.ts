/** `documented`: create, read and list tokens, create annotations, and query. `extended`: all requests in `operations`. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

/**
 * Whether a profile offers an operation, a field or a setting. Their `profile` is the smallest one that offers them. Only this
 * function compares profiles.
 */
export const offers = (profile: Profile, wanted: { readonly profile: Profile }): boolean =>
  profiles.indexOf(wanted.profile) <= profiles.indexOf(profile);
