// What a client that listens is told.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ASKS_EVERY_MS, connected } from './client.mjs';

const TOLD_WITHIN_MS = 10_000;

/** A client says that it listens when it is connected, and not when it is heard: so it is told until it has heard. */
export async function hearsOfChanges(connect, address) {
  const told = new AbortController();
  const changed = () => told.abort();
  await connected(connect, { changed }, async () => {
    const until = Date.now() + TOLD_WITHIN_MS;
    while (!told.signal.aborted) {
      assert.ok(Date.now() < until, 'the client was not told that a workflow was registered');
      await register(address, `mcp-heard-${randomBytes(6).toString('hex')}`);
      await delay(ASKS_EVERY_MS);
    }
  });
}

async function register(address, id) {
  const yaml = JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units: [{ id: 'one', uses: 'builtin.mock' }], flow: { type: 'sequential' } },
  });
  const response = await fetch(`${address}/workflows/from-yaml`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ yaml }),
  });
  assert.ok(response.ok, await response.text());
}
