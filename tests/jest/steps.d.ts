// The root's tsconfig.json is also that of the demo, whose compiler must not take JavaScript for source.

declare module "*/scripts/steps/cache.mjs" {
  export function ensureCached(options: {
    readonly folder: string;
    readonly log: (line: string) => void;
    readonly make: (draft: string) => Promise<unknown>;
  }): Promise<string>;
}

declare module "*/scripts/steps/log.mjs" {
  export const log: (line: string) => void;
}

declare module "*/scripts/steps/build.mjs" {
  export function isCurrent(root: string): Promise<boolean>;
}
