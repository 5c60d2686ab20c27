/**
 * Stands in an answer for a string that is itself JSON, as a tool's result holds it, so that a long one need never be
 * one string. `JSON.stringify` writes it as that string.
 */
export class JsonText {
  constructor(readonly value: unknown) {}

  toJSON(): string {
    return JSON.stringify(this.value);
  }
}
