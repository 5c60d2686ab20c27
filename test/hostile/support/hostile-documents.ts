import { document, mock } from '../../support/workflow-documents.js';

export const set = (id: string, values: object) => ({ id, uses: 'builtin.set', config: { values } });

/** A document with a flow of its own. */
export const flowing = (id: string, units: readonly object[], flow: unknown, more: object = {}) =>
  document(id, units, { flow, ...more });

export const looping = (id: string, units: readonly object[], body: unknown, maxIterations: number) =>
  flowing(id, units, { type: 'loop', do: body, maxIterations });

export const numbers = (length: number) => Array.from({ length }, (_, index) => index);

/** An expression that yields a text of `10 * 2 ** doublings` characters. */
export function longText(doublings: number): string {
  let source = '"0123456789"';
  for (let n = 0; n < doublings; n += 1) source = `[${source}].map(v${n}, v${n} + v${n})[0]`;
  return source;
}

/** `levels` flows of one kind, each inside the one before. */
export function nested(levels: number, wrap: (inner: unknown) => object, leaf = 'leaf'): unknown {
  let flow: unknown = leaf;
  for (let level = 0; level < levels; level += 1) flow = wrap(flow);
  return flow;
}

export const leaf = mock('leaf', 1);
