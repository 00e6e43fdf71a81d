/** This package's version, as in package.json (a test compares them); sent in the user agent. */
export const version = "1.0.0";
