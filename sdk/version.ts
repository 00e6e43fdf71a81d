/** The version of this package, as in package.json (a test compares them). It is part of the user agent. */
export const version = "1.0.0";
