/** The text of `precompiled-schema.ts`, for the published schema as it is now. */
export function precompile(): Promise<string>;
