/** The path of a shell's program; null: it is not here. Throws in continuous integration. */
export function shellProgram(name: string): string | null;
