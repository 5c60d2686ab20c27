export function flattened(value: unknown, path?: string, isOfNames?: boolean): readonly string[];
export function withoutProse(value: unknown): string;
