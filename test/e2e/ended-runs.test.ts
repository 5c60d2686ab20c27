import { InMemoryRunStore } from '../../src/engine/index.js';
import { startHosted } from '../support/hosted-service.js';
import { startService, type Service } from '../support/service.js';

const TURNS = 700;
/** Long enough for its record to be kept: two events a turn. */
const LONG = JSON.stringify({
  apiVersion: 'flowgate/v1',
  kind: 'Workflow',
  metadata: { id: 'long' },
  spec: {
    units: [{ id: 'count', uses: 'builtin.set', config: { values: { text: 'é "😀" ${{ iteration }}' } } }],
    flow: { type: 'loop', unit: 'count', maxIterations: TURNS, until: 'false' },
  },
});

/** A store that counts how often a run is folded from it. */
function countingStore() {
  const store = new InMemoryRunStore();
  let reads = 0;
  for (const method of ['load', 'readEvents'] as const) {
    const original = store[method].bind(store) as (request: never) => Promise<never>;
    store[method] = ((request: never) => ((reads += 1), original(request))) as never;
  }
  return { store, reads: () => reads };
}

describe.each<[string, () => Promise<Service>]>([
  ['the standalone service', () => startService()],
  ['a host application', () => startHosted({})],
])('a long run that is over, in %s', (_where, start) => {
  let service: Service;
  let path: string;
  let record: string;
  beforeAll(async () => {
    service = await start();
    await service.register(LONG);
    const answer = await service.post('/workflows/long/runs', { sync: true });
    record = answer.text;
    path = `/workflows/long/runs/${answer.body.runId}`;
  });
  afterAll(() => service.close());

  it('is to the byte what its start returned, however often it is read', async () => {
    expect(JSON.parse(record)).toMatchObject({ status: 'completed' });
    for (let i = 0; i < 3; i++) {
      const { status, headers, text } = await service.get(path);
      expect([status, headers['content-type'], text === record]).toEqual([
        200,
        'application/json; charset=utf-8',
        true,
      ]);
      expect(headers['content-length']).toBe(String(Buffer.byteLength(record)));
    }
    const head = await service.call('HEAD', path);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(record)),
    ]);
  });

  it('is the same as the text of a tool’s result', async () => {
    const params = {
      name: 'get_run',
      arguments: { workflowId: 'long', runId: path.split('/').at(-1) },
    };
    const { body } = await service.post('/mcp', { id: 1, method: 'tools/call', params });
    expect(body.result.content[0].text === record).toBe(true);
    expect((await service.get(path)).text === record).toBe(true);
  });

  it('shows what a rewind made of it', async () => {
    const { body: page } = await service.get(`${path}/snapshots?afterSeq=0&limit=1`);
    const { snapshotId } = page.snapshots[0];
    const { body: again } = await service.post(`${path}/resume`, { snapshotId });
    expect(again.status).toBe('completed');
    const { body } = await service.get(path);
    expect(body).toEqual(again);
    expect(body.updatedAt).toBeGreaterThanOrEqual(JSON.parse(record).updatedAt);
    expect(body.result.messages).not.toEqual(JSON.parse(record).result.messages);
  });
});

describe('a long run that is polled', () => {
  it('is folded for its first reader, and for none after that', async () => {
    const { store, reads } = countingStore();
    const service = await startHosted({ store });
    try {
      await service.register(LONG);
      const { workflowId, runId } = await service.start('long');
      const before = reads();
      const first = await service.run({ workflowId, runId });
      const after = reads();
      expect(after).toBeGreaterThan(before);
      for (let i = 0; i < 5; i++) expect(await service.run({ workflowId, runId })).toEqual(first);
      expect(reads()).toBe(after);
    } finally {
      await service.close();
    }
  });
});
