import type { RunMessage } from '../engine/index.js';
import { numbered, RunAssertionError, shown } from './assertion.js';

/**
 * A message with these fields, whatever others it has: a value is compared as JSON, a `RegExp` with the text of the field, a
 * function is called with its value.
 */
export interface MessagePattern {
  readonly type: RunMessage['type'];
  readonly [field: string]: unknown;
}

/** Each pattern matches a message after that of the one before; others may lie between. Throws a `RunAssertionError`. */
export function expectMessages(messages: readonly RunMessage[], patterns: readonly MessagePattern[]): void {
  const marks = new Map<number, string>();
  let from = 0;
  for (const [index, pattern] of patterns.entries()) {
    const found = messages.findIndex((message, position) => position >= from && matches(message, pattern));
    if (found === -1) {
      const where = index === 0 ? '' : ` behind message ${from}`;
      throw new RunAssertionError(
        `Expected ${index + 1} of ${patterns.length} is not there${where}: ${shown(pattern)}\nThe run said:\n${numbered(messages, marks)}`,
      );
    }
    marks.set(found, `expected ${index + 1}`);
    from = found + 1;
  }
}

/** Throws a `RunAssertionError` where any message matches. */
export function expectNoMessage(messages: readonly RunMessage[], pattern: MessagePattern): void {
  const marks = new Map<number, string>();
  for (const [position, message] of messages.entries()) {
    if (matches(message, pattern)) marks.set(position, 'this one');
  }
  if (marks.size === 0) return;
  throw new RunAssertionError(
    `Expected no message with ${shown(pattern)}\nThe run said:\n${numbered(messages, marks)}`,
  );
}

function matches(message: RunMessage, pattern: MessagePattern): boolean {
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([name, wanted]) => fits(fields[name], wanted));
}

function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'function') return (wanted as (value: unknown) => unknown)(value) === true;
  if (wanted instanceof RegExp) return typeof value === 'string' && value.search(wanted) >= 0;
  return sameJson(value, wanted);
}

function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  );
}
