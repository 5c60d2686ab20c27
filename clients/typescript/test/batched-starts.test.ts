import { FlowgateClient, type BatchedStart, type StartedOrRefused } from 'flowgate-client';
import { startUnitServer } from '../../../test/support/unit-server.js';
import { document, mock } from '../../../test/support/workflow-documents.js';
import { BOTH_MODES, type Mode } from './support/modes.js';

const AMOUNTS = { input: { type: 'object', properties: { amount: { type: 'number', minimum: 0 } } } };

const runIdOf = (one: StartedOrRefused | undefined) =>
  one !== undefined && 'runId' in one ? one.runId : null;

describe.each(BOTH_MODES)('a batch of starts of %s', (_name, start) => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await start();
    await mode.client.loadAndRegister(document('w', [mock('a')], AMOUNTS));
  });
  afterEach(() => mode.close());

  it('gives the record of each run and why another was refused, in the order of the runs', async () => {
    const { client } = mode;
    const started = await client.startBatch('w', [
      { input: { amount: 1 }, labels: { team: 'blue' } },
      { input: { amount: -1 } },
      { labels: { Team: 'blue' } },
      {},
    ]);
    const record = { runId: expect.any(String), workflowId: 'w', status: 'running' };
    expect(started).toEqual([
      expect.objectContaining(record),
      {
        error: expect.stringContaining('The input does not fit the workflow'),
        code: 'invalid-input',
        status: 400,
        details: [expect.objectContaining({ path: '/amount' })],
      },
      { error: expect.stringContaining('The label "Team"'), code: 'invalid-request', status: 400 },
      expect.objectContaining(record),
    ]);
    expect((await client.waitForRun('w', runIdOf(started[0])!)).result?.state['amount']).toBe(1);
    expect((await client.listRuns({ labels: { team: 'blue' } })).items).toHaveLength(1);
  });

  it('answers again what was started under its keys, in a batch or by itself', async () => {
    const { client } = mode;
    const runs: readonly BatchedStart[] = [1, 2].map((amount) => ({
      input: { amount },
      idempotencyKey: `k${amount}`,
    }));
    const alone = await client.startWorkflow('w', { amount: 2 }, { idempotencyKey: 'k2' });
    const [first, again] = [await client.startBatch('w', runs), await client.startBatch('w', runs)];
    expect(again.map(runIdOf)).toEqual(first.map(runIdOf));
    expect(runIdOf(first[1])).toBe(alone.runId);
    const conflict = await client.startBatch('w', [{ input: { amount: 3 }, idempotencyKey: 'k2' }]);
    expect(conflict).toEqual([
      {
        error: 'The idempotencyKey k2 stands for another request: give a new one',
        code: 'idempotency-conflict',
        type: 'IdempotencyConflictError',
        status: 409,
      },
    ]);
  });

  it('is refused as a whole of a workflow that is unknown', async () => {
    await expect(mode.client.startBatch('nobody', [{}])).rejects.toMatchObject({
      status: 404,
      code: 'unknown-workflow',
      error: 'Unknown workflow: nobody',
    });
  });
});

describe('a batch of starts of a service that is tried again', () => {
  it('has the same key for each run in every try, of the caller or made for the call', async () => {
    const record = { runId: 'r', workflowId: 'w', status: 'running', createdAt: 1, updatedAt: 1 };
    const server = await startUnitServer({ status: 503, body: { error: 'not now' } });
    try {
      const client = new FlowgateClient({ baseUrl: server.url, retries: { baseMs: 1, maxMs: 2 } });
      let tries = 0;
      server.answer(() =>
        ++tries < 3
          ? { status: 503, body: { error: 'not now' } }
          : { status: 202, body: { runs: [record, record] } },
      );
      expect(await client.startBatch('w', [{ idempotencyKey: 'mine' }, {}])).toEqual([record, record]);
      const sent = server.requests.map(({ body, headers }) => {
        expect(headers['idempotency-key']).toBeUndefined();
        return (JSON.parse(body) as { readonly runs: readonly BatchedStart[] }).runs;
      });
      expect(sent).toHaveLength(3);
      expect(sent[0]).toEqual([
        { input: {}, idempotencyKey: 'mine' },
        { input: {}, idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ]);
      expect(sent.slice(1)).toEqual([sent[0], sent[0]]);
    } finally {
      await server.close();
    }
  });

  it('is no answer with another number of runs than were sent', async () => {
    const server = await startUnitServer({ status: 202, body: { runs: [] } });
    try {
      const client = new FlowgateClient({ baseUrl: server.url, retries: 0 });
      await expect(client.startBatch('w', [{}])).rejects.toThrow("something that is not Flowgate's");
    } finally {
      await server.close();
    }
  });
});

describe('a batch of starts that cannot be meant is refused before anybody is asked:', () => {
  const client = new FlowgateClient({
    baseUrl: 'http://127.0.0.1:9',
    fetch: () => Promise.reject(new Error('asked')),
  });

  it.each<[string, unknown]>([
    ['runs must be a list of 1 to 1000 starts', []],
    ['runs must be a list of 1 to 1000 starts', Array.from({ length: 1_001 }, () => ({}))],
    ['runs must be a list of 1 to 1000 starts', { 0: {} }],
    ['runs[1] must be an object', [{}, null]],
    ['runs[0] has the field sync', [{ sync: true }]],
    ['runs[0].input must be an object', [{ input: [1] }]],
    ['runs[0].idempotencyKey must be', [{ idempotencyKey: 'ü' }]],
    ['labels must be an object', [{ labels: 7 }]],
    ['runs cannot be sent as JSON', [{ input: { n: Number.NaN } }]],
  ])('%s', async (message, runs) => {
    const error = await client.startBatch('w', runs as never).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
  });
});
