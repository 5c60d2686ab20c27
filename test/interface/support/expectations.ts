import assert from 'node:assert/strict';
import type { Answer } from './caller.ts';

/** Of objects only what is expected of them: answers may say more. */
export function has(actual: unknown, expected: object): void {
  assert.partialDeepStrictEqual(actual, expected);
}

/** An error in the form that all have; a text is the whole message. */
export function refused(
  { status, body, text, headers }: Answer,
  expected: number,
  error: string | RegExp,
): void {
  assert.equal(status, expected, text);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  if (typeof error === 'string') assert.equal(body.error, error);
  else assert.match(body.error, error);
  assert.equal(typeof body.code, 'string', text);
  assert.doesNotMatch(text, /node_modules|\.[jt]s:\d|\n {4}at /, 'an error shows the inside of the service');
}

export function completed(record: { readonly status: string; readonly error?: string }): void {
  assert.equal(record.status, 'completed', JSON.stringify(record));
}
