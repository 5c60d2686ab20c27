/** The path of the program. Throws a sentence that says what to do. */
export function chromium(): string;
