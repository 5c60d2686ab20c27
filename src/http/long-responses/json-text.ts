/**
 * Represents a string in a response that is itself JSON, as in a tool's result, so that a long one need never be one
 * string. `JSON.stringify` writes it as that string.
 */
export class JsonText {
  constructor(readonly value: unknown) {}

  toJSON(): string {
    return JSON.stringify(this.value);
  }
}
