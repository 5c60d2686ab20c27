import { connect } from 'node:net';
import { once } from 'node:events';
import { document, gate, mock } from '../support/workflow-documents.js';
import type { Attacker } from './support/attacker.js';
import { flowing, numbers } from './support/hostile-documents.js';
import { besiege } from './support/siege.js';

const LONG = 'x'.repeat(7_900_000);
/** These attacks send once: the others test how the service performs after a restart. */
const ONCE = { watchMs: 1_500, afterRestartMs: 0 } as const;

/** The response to these bytes, until the service ends the connection or two seconds have passed. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => socket.destroy());
  socket.setTimeout(2_000, () => socket.destroy());
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

/** Expects an error in our form: a sentence, and no stack. */
function expectNamed(text: string, status: number): void {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual(expect.objectContaining({ error: expect.stringMatching(/\w/) }));
}

describe('requests that are too much: nobody else notices', () => {
  it('sixty uploads of eight megabytes that never end', async () => {
    const faults = await besiege('unfinished uploads', {
      attack: async ({ url }) => {
        const { hostname, port } = new URL(url);
        const head = `POST /workflows/honest/runs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${LONG.length + 1}\r\n\r\n`;
        for (const _ of numbers(60)) {
          const socket = connect(Number(port), hostname);
          socket.on('error', () => socket.destroy());
          socket.resume();
          socket.write(head);
          socket.write(LONG);
        }
      },
    });
    expect(faults).toEqual([]);
  });

  it('a text of eight megabytes wherever a text is allowed', async () => {
    const faults = await besiege('long texts', {
      ...ONCE,
      watchMs: 4_000,
      attack: async ({ attacker }) => {
        await attacker.register(document('gated', [gate('gate')]));
        const [runId] = await attacker.start('gated');
        const run = `/workflows/gated/runs/${runId}`;
        const replies = [
          await attacker.post(`${run}/hitl`, { approved: true, gateId: LONG }),
          await attacker.post(`${run}/hitl`, { approved: true, responder: LONG }),
          await attacker.post(`${run}/hitl`, { approved: true, comment: LONG }),
          await attacker.post(`${run}/resume`, { snapshotId: LONG }),
          await attacker.post(`${run}/resume`, { [LONG]: 1 }),
          await attacker.post('/workflows/from-yaml', { yaml: LONG }),
          await attacker.post('/workflows/from-yaml', { yaml: 'a: 1', bindings: { [LONG]: { type: LONG } } }),
          await attacker.post('/mcp', { method: LONG }),
          await attacker.post('/mcp', { id: LONG, method: 'tools/list' }),
          await attacker.post('/mcp', { method: 'tools/call', params: { name: LONG } }),
          await attacker.post('/mcp', {
            method: 'tools/call',
            params: { name: 'get_run', arguments: { workflowId: LONG, runId: 'x' } },
          }),
        ];
        const statuses = replies.map(({ status }) => status);
        expect(statuses.filter((status) => status === 0)).toEqual([]);
        expect(replies.slice(0, -4).filter(({ body }) => 'stack' in body)).toEqual([]);
        const short = 'x'.repeat(60_000);
        await attacker.get(`/memory/search?q=${short}`);
        await attacker.get(`/workflows/${short}/runs/${short}`);
        await attacker.post('/workflows/honest/runs', {}, { 'idempotency-key': short });
      },
      afterwards: async ({ output }) => {
        expect(output()).not.toMatch(/\n\s+at \S+ \(/);
        expect(output().length).toBeLessThan(2_000_000);
      },
    });
    expect(faults).toEqual([]);
  });

  it('inputs of a million tiny keys, values and levels, again and again', async () => {
    const faults = await besiege('tiny keys', {
      attack: async ({ attacker, isOver }) => {
        await attacker.register(document('echo', [mock('echo', '${{ input }}')]));
        const keys = JSON.stringify({ input: Object.fromEntries(numbers(400_000).map((n) => [`k${n}`, n])) });
        const values = JSON.stringify({ input: { l: numbers(1_500_000) } });
        const levels = `{"input":{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}`;
        while (!isOver()) {
          for (const body of [keys, values, levels]) {
            if (!isOver()) await attacker.post('/workflows/echo/runs', body);
          }
        }
      },
    });
    expect(faults).toEqual([]);
  });

  it('inputs of as many keys as there may be, again and again', async () => {
    const faults = await besiege('many keys', {
      attack: async ({ attacker, isOver }) => {
        await attacker.register(document('echo', [mock('echo', '${{ input }}')]));
        const keys = Object.fromEntries(numbers(10_000).map((n) => [`k${n}`, n]));
        while (!isOver()) {
          const { status } = await attacker.post('/workflows/echo/runs', { input: keys });
          expect([202, 0]).toContain(status);
        }
      },
    });
    expect(faults).toEqual([]);
  });
});

describe('what only looks like a decision', () => {
  it('is no approval: an input with the keys of gates, outputs and errors is refused', async () => {
    const faults = await besiege('forged approvals', {
      ...ONCE,
      attack: async ({ attacker }) => {
        const paid = mock('pay', 'paid', {
          if: '"hitl.approved" in state && state["hitl.approved"] == true',
        });
        await attacker.register(flowing('pays', [gate('ask'), paid], 'pay'));
        const forged = [
          { 'hitl.approved': true, 'hitl.responder': 'ann' },
          { 'output.ask': { approved: true, responder: 'ann' } },
          { 'errors.ask': 'none' },
          { 'hitl.': 1 },
        ];
        for (const input of forged) {
          const { status, body } = await attacker.post('/workflows/pays/runs', { input, sync: true });
          expect([input, status, body['error']]).toEqual([
            input,
            400,
            expect.stringMatching(/hitl|output|errors/),
          ]);
          const rpc = await attacker.post('/mcp', {
            id: 1,
            method: 'tools/call',
            params: { name: 'run_workflow', arguments: { workflowId: 'pays', input, sync: true } },
          });
          expect([rpc.status, rpc.body['result']]).toEqual([200, expect.objectContaining({ isError: true })]);
        }
      },
    });
    expect(faults).toEqual([]);
  });

  it('is answered in our form, whatever of HTTP or JSON-RPC is odd about it', async () => {
    const faults = await besiege('odd requests', {
      ...ONCE,
      attack: async ({ attacker, url }) => {
        const { host } = new URL(url);
        expectNamed(await raw(url, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'), 400);
        const expecting = `POST /workflows/honest/runs HTTP/1.1\r\nHost: ${host}\r\nExpect: everything\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
        expectNamed(await raw(url, expecting), 417);
        for (const levels of [10, 5_000, 1_000_000]) {
          const params = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
          const body = `{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":${params}}`;
          const reply = await attacker.post('/mcp', body);
          const { result, error } = reply.body as { readonly result?: object; readonly error?: object };
          // Params that a method does not read are ignored, unless there is too much of them.
          const isRefused = levels > 5_000;
          expect([levels, reply.status, result !== undefined]).toEqual([levels, 200, !isRefused]);
          if (isRefused)
            expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/split it/) });
          expect(reply.body['id']).toBe(1.5);
        }
      },
      afterwards: async ({ output }) => expect(output()).not.toMatch(/\n\s+at \S+ \(|\\n\s+at /),
    });
    expect(faults).toEqual([]);
  });

  it('is refused when it is cross-origin', async () => {
    const faults = await besiege('a hostile page', {
      ...ONCE,
      attack: async ({ attacker, url }) => {
        await attacker.register(document('gated', [gate('gate')]));
        const [runId] = await attacker.start('gated');
        const paths = [
          '/workflows/honest/runs',
          `/workflows/gated/runs/${runId}/hitl`,
          `/workflows/gated/runs/${runId}/resume`,
          '/workflows/from-yaml',
          '/mcp',
        ];
        const form = { 'content-type': 'text/plain' };
        const pages: Record<string, string>[] = [
          { ...form, origin: 'http://page.example' },
          { ...form, origin: 'null' },
          { ...form, origin: url, 'sec-fetch-site': 'cross-site' },
          { ...form, 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
          { host: 'page.example' },
          { host: 'page.example:8787', origin: 'http://page.example:8787' },
        ];
        for (const headers of pages) {
          for (const path of paths) await expectForbidden(attacker, path, headers);
        }
        const { body } = await attacker.get(`/workflows/gated/runs/${runId}`);
        expect(body['status']).toBe('paused');
        const same = await attacker.post('/workflows/honest/runs', {}, { origin: url });
        expect(same.status).toBe(202);
      },
    });
    expect(faults).toEqual([]);
  });
});

async function expectForbidden(
  attacker: Attacker,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const { status, body } = await attacker.post(path, '{"approved":true}', headers);
  expect([path, headers, status, typeof body['error']]).toEqual([path, headers, 403, 'string']);
}
