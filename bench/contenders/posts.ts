// One outgoing POST, ours and the floor's, from the same process. Argument: the address of an endpoint (services/unit.ts).
import { Pool } from 'undici';
import { assemble } from '../../dist/engine/assemble.js';
import { InMemoryMemoryIndex, InMemoryRunStore } from '../../dist/engine/index.js';
import { contend } from '../support/contender.ts';
import { unitBody } from '../support/workflows.ts';

const [endpoint = ''] = process.argv.slice(2);
const { origin, pathname } = new URL(endpoint);
const pool = new Pool(origin);
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const body = JSON.stringify(unitBody);

// The transport that an engine is given when its host hands over none.
const { transport } = assemble(
  { store: new InMemoryRunStore(), memory: new InMemoryMemoryIndex() },
  () => false,
).options;
const { signal } = new AbortController();

contend(
  {
    transport: async () => {
      const answer = await transport.post({ url: endpoint, headers, body, maxResponseBytes: 1e6, signal });
      if (answer.kind !== 'response') throw new Error(answer.kind);
    },
    'pool.request': async () => {
      const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
      await answer.body.text();
    },
  },
  async () => {
    await transport.close();
    await pool.close();
  },
);
