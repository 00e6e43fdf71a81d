export const variable: string;
export function keepForTypeCheck(content: string): void;
export function findTypeErrors(): string;
