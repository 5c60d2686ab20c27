import type { RunRecord } from '../../src/engine/index.js';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

let service: Service;
let run: RunRecord;
let path: string;

beforeAll(async () => {
  service = await startService();
  await service.register(document('read', [mock('a', 1), mock('b', 2), mock('c', 3)]));
  await service.register(document('other', [mock('a')]));
  run = await service.start('read', { input: { x: 'y' }, sync: true });
  path = `/workflows/read/runs/${run.runId}`;
});
afterAll(() => service.close());

describe('GET a run’s messages', () => {
  const messages = async (query = '') => service.get(`${path}/messages${query}`);

  it('come in pages that follow one another', async () => {
    const collected: unknown[] = [];
    let next: number | null = 0;
    while (next !== null) {
      const { body } = await messages(`?afterSeq=${next}&limit=2`);
      collected.push(...body.messages);
      next = body.next;
    }
    expect(collected).toEqual(run.result?.messages);
  });

  it.each(['', 'x', 'bWVzc2FnZXMgYWZ0ZXIgMQ==', Buffer.from('messages after 01').toString('base64url')])(
    'do not continue from %j, which no page named',
    async (cursor) => {
      const { status, body } = await messages(`?cursor=${encodeURIComponent(cursor)}`);
      expect([status, body.error]).toEqual([
        400,
        expect.stringContaining('cursor is none of these messages'),
      ]);
    },
  );

  it('do not continue from two cursors, nor from a page of snapshots', async () => {
    const { next } = (await service.get(`${path}/snapshots?limit=1`)).body;
    const answers = await Promise.all([messages('?cursor=x&afterSeq=1'), messages(`?cursor=${next}`)]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });

  it.each(['limit=-1', 'afterSeq=x'])('?%s is 400', async (query) => {
    const { status, body } = await messages(`?${query}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining(query.split('=')[0]!)]);
  });
});

describe('GET a run’s snapshots', () => {
  it('are the checkpoints that its messages name', async () => {
    const { status, body } = await service.get(`${path}/snapshots`);
    expect(status).toBe(200);
    const named = run.result?.messages.flatMap((message) =>
      message.type === 'checkpoint' ? [message.snapshotId] : [],
    );
    expect(body.snapshots.map(({ snapshotId }: { snapshotId: string }) => snapshotId)).toEqual(
      named?.toReversed(),
    );
    expect(body.snapshots[0]).toEqual({
      snapshotId: expect.stringMatching(new RegExp(`^${run.runId}\\.\\d+$`)),
      createdAt: expect.any(Number),
      after: 'unit-finished',
      unitId: 'c',
    });
  });

  it('come oldest first, as they used to, after an entry of the log', async () => {
    const { body: all } = await service.get(`${path}/snapshots`);
    const oldest = await service.get(`${path}/snapshots?afterSeq=0&limit=2`);
    expect(oldest.body.snapshots).toEqual(all.snapshots.toReversed().slice(0, 2));
    for (const name of ['cursor', 'afterSeq']) {
      const rest = await service.get(`${path}/snapshots?${name}=${oldest.body.next}`);
      expect(rest.body).toEqual({ snapshots: all.snapshots.slice(0, 1), next: null });
    }
  });

  it('of another run are no use for a cursor', async () => {
    const { next } = (await service.get(`${path}/snapshots?limit=1`)).body;
    const other = await service.start('read');
    const answers = await Promise.all([
      service.get(`/workflows/read/runs/${other.runId}/snapshots?cursor=${next}`),
      service.get(`${path}/snapshots?cursor=${next}&afterSeq=0`),
      service.get(`${path}/messages?cursor=${next}`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('come in pages that follow one another', async () => {
    const { body: all } = await service.get(`${path}/snapshots`);
    expect(all.next).toBeNull();
    const collected: unknown[] = [];
    let cursor = '';
    do {
      const { status, body } = await service.get(`${path}/snapshots?limit=1${cursor}`);
      expect([status, body.snapshots.length <= 1]).toEqual([200, true]);
      collected.push(...body.snapshots);
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    expect(collected).toEqual(all.snapshots);
    expect(collected).toHaveLength(3);
  });

  it.each(['limit=0', 'cursor=1'])('?%s is 400', async (query) => {
    const { status, body } = await service.get(`${path}/snapshots?${query}`);
    expect([status, body.error]).toEqual([400, expect.stringContaining(query.split('=')[0]!)]);
    expect((await service.get(`/workflows/read/runs/nothing/snapshots?${query}`)).status).toBe(404);
  });

  it('is 404 for %20, which is none', async () => {
    const { status, body } = await service.get(`${path}/snapshots/%20`);
    expect([status, body]).toEqual([
      404,
      { error: `No checkpoint found for run: ${run.runId}`, code: 'no-checkpoint' },
    ]);
  });

  it('are 404 for an unknown run', async () => {
    const answers = await Promise.all([
      service.get('/workflows/read/runs/nothing/snapshots'),
      service.get(`/workflows/other/runs/${run.runId}/snapshots/${run.runId}.2`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
