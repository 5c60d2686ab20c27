// One outgoing POST, ours and the floor's, from the same process. Argument: the address of an endpoint (services/unit.ts).
import { Pool } from 'undici';
import { assemble } from '../../dist/engine/assemble.js';
import { InMemoryMemoryIndex, InMemoryRunStore } from '../../dist/engine/index.js';
import { contend } from '../support/contender.ts';
import { unitBody } from '../support/workflows.ts';

const [url = ''] = process.argv.slice(2);
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const body = JSON.stringify(unitBody);
const { origin, pathname } = new URL(url);
const pool = new Pool(origin);

// The transport that an engine is given when its host hands over none, called as the engine calls it.
const { transport } = assemble(
  { store: new InMemoryRunStore(), memory: new InMemoryMemoryIndex() },
  () => false,
).options;
const maxResponseBytes = 10 * 1024 * 1024;
const { signal } = new AbortController();

/** What a transport may make ready once for all calls to an endpoint; without it each call says everything. */
interface MayPrepare {
  callsTo?(endpoint: object): { post(call: object): Promise<{ readonly kind: string }> };
}
const prepared = (transport as MayPrepare).callsTo?.({ url, headers, maxResponseBytes });
const ofTheCall = ['idempotency-key', unitBody.context.executionId];

/** Remembers whom it would notify, as an engine's does. */
class Attempt {
  readonly signal = signal;
  listener: (() => void) | null = null;

  onAbort(listener: () => void): void {
    this.listener = listener;
  }
}

function call(): Promise<{ readonly kind: string }> {
  if (prepared === undefined) {
    const all = { ...headers, 'idempotency-key': unitBody.context.executionId };
    return transport.post({ url, headers: all, body, maxResponseBytes, signal });
  }
  return prepared.post({ headers: ofTheCall, body, attempt: new Attempt() });
}

contend(
  {
    transport: async () => {
      const { kind } = await call();
      if (kind !== 'response') throw new Error(`The call ended as ${kind}.`);
    },
    'pool.request': async () => {
      const answer = await pool.request({
        path: pathname,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': unitBody.context.executionId },
        body,
      });
      await answer.body.text();
    },
  },
  async () => {
    await transport.close();
    await pool.close();
  },
);
