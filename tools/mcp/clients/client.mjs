// A connected client, and the records that its tools give it.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Of ../workflows: a gate between two units; and three units that take their time, before one that does not. */
export const GATE = 'mcp-gate';
export const SLOW = 'mcp-slow';
export const ASKS_EVERY_MS = 100;
const FINISHES_WITHIN_MS = 10_000;

/** The client is closed whatever happens. */
export async function connected(connect, handlers, use) {
  const client = await connect(handlers);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

/** As text and as structured content, which say the same. */
export function recordIn({ isError, content, structuredContent }) {
  const [{ text }] = content;
  assert.notEqual(isError, true, text);
  assert.deepEqual(structuredContent, JSON.parse(text), 'the structured content is what the text says');
  return structuredContent;
}

/** The record as the tool gives it, once the run is completed. */
export async function finished(client, run, responder) {
  const until = Date.now() + FINISHES_WITHIN_MS;
  let record = recordIn(await client.call('get_run', run));
  while (record.status === 'running' && Date.now() < until) {
    await delay(ASKS_EVERY_MS);
    record = recordIn(await client.call('get_run', run));
  }
  assert.equal(record.status, 'completed', JSON.stringify(record));
  assert.deepEqual(record.result.completedUnits, ['check', 'approve', 'pay']);
  if (responder !== undefined) assert.equal(record.result.state['hitl.responder'], responder);
}
