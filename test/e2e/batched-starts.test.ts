import { InMemoryRunStore } from '../../src/engine/index.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { UnknownWorkflowError } from '../../src/errors/run-errors.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { until } from '../support/eventually.js';
import { HoldingStore } from '../support/holding-store.js';
import { ADAPTERS, startHostService } from '../support/host.js';
import { startHosted } from '../support/hosted-service.js';
import { answerOn, open } from '../support/raw-request.js';
import { startService, type Body, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';

const AMOUNTS = {
  input: {
    type: 'object',
    required: ['amount'],
    properties: { amount: { type: 'number', minimum: 0 } },
  },
};
const PLAIN = '/workflows/plain/runs';
const STRICT = '/workflows/strict/runs';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a')]));
  await service.register(document('strict', [mock('a')], AMOUNTS));
});
afterAll(() => service.close());

const startBatch = (runs: unknown, path = STRICT) => service.post(`${path}/batch`, { runs });
const amount = (given: number) => ({ input: { amount: given } });
const runCount = async (of = service) => (await of.get('/runs?limit=200')).body.items.length as number;
const runIdsOf = ({ body }: { readonly body: Body }) => body.runs.map(({ runId }: Body) => runId as string);

describe('a batch of starts', () => {
  it('is 202 with the record of each run, in the order of the request', async () => {
    const { status, body } = await startBatch([amount(1), amount(2), amount(3)]);
    expect(status).toBe(202);
    expect(body).toEqual({
      runs: [1, 2, 3].map(() => ({
        runId: expect.any(String),
        workflowId: 'strict',
        status: 'running',
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      })),
    });
    for (const [index, { runId }] of (body.runs as Body[]).entries()) {
      const read = () => service.run({ workflowId: 'strict', runId });
      await until(async () => (await read()).status === 'completed', 'the run completes');
      expect((await read()).result?.state['amount']).toBe(index + 1);
    }
  });

  it.each<[string, unknown]>([
    ['an input that the workflow does not take', { input: { amount: -1 } }],
    ['no input where the workflow takes one', {}],
    ['an input of the wrong type', { input: [1] }],
    ['a key of the state that the service writes', { input: { amount: 1, 'output.a': 1 } }],
    ['labels of the wrong type', { ...amount(1), labels: 7 }],
    ['a label that cannot be one', { ...amount(1), labels: { Team: 'a' } }],
    ['a field that is nearly one of ours', { inputs: { amount: 1 } }],
    ['no object', [amount(1)]],
    ['nothing', null],
  ])('answers a run with %s as a start by itself is answered, and starts the others', async (_what, item) => {
    const alone = await service.post(STRICT, item);
    const { status, body } = await startBatch([amount(1), item, amount(2)]);
    expect(status).toBe(202);
    expect(body.runs).toEqual([
      expect.objectContaining({ status: 'running' }),
      { ...alone.body, status: alone.status },
      expect.objectContaining({ status: 'running' }),
    ]);
  });

  it('may have no run that is started', async () => {
    const before = await runCount();
    const { status, body } = await startBatch([7, { inputs: {} }, amount(-1)]);
    expect([status, body.runs.map(({ status: of }: Body) => of)]).toEqual([202, [400, 400, 400]]);
    expect(await runCount()).toBe(before);
  });

  it('answers a key that is none as the header is answered', async () => {
    const alone = await service.post(STRICT, amount(1), { 'Idempotency-Key': 'naïve' });
    for (const idempotencyKey of ['naïve', '', 'k'.repeat(257), 7, {}]) {
      const { body } = await startBatch([{ ...amount(1), idempotencyKey }]);
      const { error, code } = alone.body;
      expect(body.runs).toMatchObject([{ error, code, status: alone.status }]);
    }
  });

  it('says in each record what of its item nobody reads, in words of a batch', async () => {
    const { body } = await startBatch([{ amount: 1 }, { wait: true }, { requestId: 'x' }], PLAIN);
    expect(body.runs.map(({ warnings }: Body) => warnings)).toEqual([
      [
        'amount is not read: what a run works with stands under input, and this start gives none: send { "input": { … } }',
      ],
      ['wait is not read: a batch is answered as its runs begin: read or watch them'],
      [
        'requestId is not read: the service gives the id; to start once however often it is asked, send an "idempotencyKey"',
      ],
    ]);
  });

  it('refuses the sync of a run, and says what to do instead', async () => {
    const { status, body } = await startBatch([
      { ...amount(1), sync: true },
      { ...amount(1), sync: null },
    ]);
    expect([status, body.runs]).toEqual([
      202,
      [
        {
          error:
            'sync is not for a batch, which is answered as its runs begin: leave it out, and read or watch the runs',
          code: 'invalid-request',
          status: 400,
          details: [expect.objectContaining({ path: 'sync' })],
        },
        expect.objectContaining({ status: 'running' }),
      ],
    ]);
  });
});

describe('a batch of starts is refused as a whole, and starts nothing,', () => {
  const refused = async (body: unknown, headers?: Readonly<Record<string, string>>, path = PLAIN) => {
    const before = await runCount();
    const answer = await service.post(`${path}/batch`, body, headers);
    expect(await runCount()).toBe(before);
    return answer;
  };
  const RUNS =
    'runs must be a list of 1 to 1000 starts, each { input, labels, idempotencyKey }: split a longer one';

  it.each<[string, unknown, string]>([
    ['without runs', {}, RUNS],
    ['with runs that are no list', { runs: { 0: {} } }, RUNS],
    ['with no run', { runs: [] }, RUNS],
    ['with more than 1,000 runs', { runs: Array.from({ length: 1_001 }, () => ({})) }, RUNS],
    ['without a body', undefined, RUNS],
    ['with a list as its body', [{}], 'The body must be a JSON object'],
    ['with a body that is no JSON', '{"runs":', 'The body is not JSON'],
    [
      'with a field that is nearly runs',
      { runs: [{}], run: {} },
      'run is no field of this body: did you mean runs?',
    ],
    ['with sync', { runs: [{}], sync: true }, 'sync is not for a batch'],
    [
      'with a field of one run',
      { runs: [{}], labels: {} },
      'labels belongs to one run: send it with each of runs',
    ],
    [
      'with any other field',
      { runs: [{}], 'a b': 1 },
      '"a b" is no field of this body, which has runs alone: leave it out',
    ],
  ])('%s', async (_what, body, error) => {
    const answer = await refused(body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  });

  it('with all that is wrong with it in one answer', async () => {
    const { body } = await refused({ run: [{}], sync: true, '': 1 });
    expect(body.details.map(({ path }: Body) => path)).toEqual(['runs', 'run', 'sync', '']);
  });

  it('with an Idempotency-Key for all of it', async () => {
    const { status, body } = await refused({ runs: [{}] }, { 'Idempotency-Key': 'k' });
    expect([status, body]).toEqual([
      400,
      {
        error:
          'Idempotency-Key is not for a batch: leave the header out, and give each of its runs an idempotencyKey',
        code: 'invalid-request',
      },
    ]);
  });

  it('of an unknown workflow, before anything is said of its body', async () => {
    const { status, body } = await refused('no JSON', {}, '/workflows/nobody/runs');
    expect([status, body]).toEqual([404, { error: 'Unknown workflow: nobody', code: 'unknown-workflow' }]);
  });

  it('with a body over the limit', async () => {
    const runs = Array.from({ length: 9 }, () => ({ input: { text: 'x'.repeat(1024 * 1024) } }));
    expect(await refused({ runs })).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
  });
});

describe('a batch of 1,000 runs', () => {
  it('is started, and is the same when it is sent again', async () => {
    const runs = Array.from({ length: 1_000 }, (_, n) => ({ ...amount(n), idempotencyKey: `of 1000: ${n}` }));
    const [first, again] = [await startBatch(runs), await startBatch(runs)];
    expect(new Set(runIdsOf(first)).size).toBe(1_000);
    expect(runIdsOf(again)).toEqual(runIdsOf(first));
  });

  it('may be of bodies of megabytes', async () => {
    const runs = Array.from({ length: 7 }, (_, n) => ({
      input: { amount: n, text: 'x'.repeat(1024 * 1024) },
    }));
    expect(new Set(runIdsOf(await startBatch(runs))).size).toBe(7);
  });
});

describe('the key of a run in a batch', () => {
  const keyed = (given: number, idempotencyKey: string) => ({ ...amount(given), idempotencyKey });
  const header = (key: string) => ({ 'Idempotency-Key': key });

  it('is that of the header of a start by itself', async () => {
    const alone = await service.post(STRICT, amount(1), header('alone'));
    const batch = await startBatch([keyed(1, 'alone'), keyed(2, 'batched'), keyed(2, 'alone')]);
    const conflict = await service.post(STRICT, amount(3), header('batched'));
    expect(batch.body.runs).toMatchObject([
      { runId: alone.body.runId, status: 'running' },
      { status: 'running' },
      { code: 'idempotency-conflict', type: 'IdempotencyConflictError', status: 409 },
    ]);
    const found = await service.post(STRICT, amount(2), header('batched'));
    expect(found.body.runId).toBe(batch.body.runs[1].runId);
    expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency-conflict']);
  });
});

describe.each(ADAPTERS)('a client that disconnects in the middle of a batch, of a host on %s,', (adapter) => {
  it('has begun what was begun, and no other', async () => {
    const store = new HoldingStore();
    const hosted = await startHostService({ adapter, flowgate: { store } });
    try {
      await hosted.register(document('plain', [mock('a')]));
      const socket = await open(hosted.url);
      const body = JSON.stringify({ runs: Array.from({ length: 100 }, () => ({})) });
      const path = `${new URL(hosted.url).pathname}${PLAIN}/batch`;
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await store.holds(64);
      const gone = answerOn(socket);
      socket.destroy();
      await gone;
      // A request after it shows that the service has seen the end of the connection.
      await hosted.get('/health');
      store.isHolding = false;
      store.letGo();
      await until(async () => (await runCount(hosted)) === 64, 'what was begun is stored');
      for (let round = 0; round < 50; round++) await new Promise(setImmediate);
      expect(await runCount(hosted)).toBe(64);
    } finally {
      await hosted.close();
    }
  });
});

describe('a store that fails during a batch', () => {
  /** Fails the starts whose label says with what. */
  class FaultyStore extends InMemoryRunStore {
    override append(request: AppendRequest): AppendResult | Promise<AppendResult> {
      const fault = FAULTS.get(request.labels?.['fault'] ?? '');
      return fault === undefined ? super.append(request) : Promise.reject(fault);
    }
  }
  const FAULTS = new Map<string, Error>([
    ['full', new StoreError('The disk is full: make room')],
    ['unforeseen', new TypeError('the secret path /data')],
    ['gone', new UnknownWorkflowError('plain')],
  ]);

  it.each([
    ['interface', 500],
    ['conventional', 404],
  ] as const)(
    'gives those runs the error and the status of a start by itself, with statuses %s',
    async (kind, gone) => {
      const hosted = await startHosted({ store: new FaultyStore(), statuses: kind });
      try {
        await hosted.register(document('plain', [mock('a')]));
        const labelled = ['none', 'full', 'gone', 'unforeseen'].map((fault) => ({ labels: { fault } }));
        const { status, body } = await hosted.post(`${PLAIN}/batch`, { runs: labelled });
        const alone = await Promise.all(labelled.slice(1).map((item) => hosted.post(PLAIN, item)));
        expect([status, body.runs[0].status]).toEqual([202, 'running']);
        expect(body.runs.slice(1)).toEqual(alone.map((of) => ({ ...of.body, status: of.status })));
        expect(body.runs.map((of: Body) => of.status).slice(1)).toEqual([503, gone, 500]);
        expect(body.runs[3].error).not.toContain('secret');
      } finally {
        await hosted.close();
      }
    },
  );
});
