/** The smallest of the clients leaves the names of options to the types. */
export function checkOptions(_call: string, _options: unknown): void {}
