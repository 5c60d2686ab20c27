import { FlowgateApiError, FlowgateClient, type EngineLike } from 'flowgate-client';
import { DecidedGateError, KnownRunError, UnitNotReachedError } from '../../../../src/errors/run-errors.js';
import { UnknownRunError, UnknownWorkflowError } from '../../../../src/errors/run-errors.js';

type Asked = readonly [string, unknown];

/** An engine of which each method says what it was asked, and gives what the test has. */
function engineThat(answers: Readonly<Record<string, (request: never) => unknown>>) {
  const asked: Asked[] = [];
  const facet = (name: string): object =>
    new Proxy(
      {},
      {
        get: (_target, method: string) => (request: never) => {
          asked.push([`${name}.${method}`, request]);
          return (answers[`${name}.${method}`] ?? (async () => ({ items: [], next: null })))(request);
        },
      },
    );
  const engine = {
    isClosing: false,
    runs: facet('runs'),
    gates: facet('gates'),
    workflows: facet('workflows'),
  };
  return { client: new FlowgateClient({ engine: engine as unknown as EngineLike }), asked };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}
const thrown = (promise: Promise<unknown>): Promise<FlowgateApiError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as FlowgateApiError,
  );

describe('in process', () => {
  it('a fork takes copies, of JSON', async () => {
    const { client, asked } = engineThat({ 'runs.fork': async () => ({ runId: 'f' }) });
    const input = { list: [1], at: new Date(0) };
    await client.fork('w', 'r', { from: { unitId: 'u' }, input, unitInput: [undefined] });
    input.list.push(2);
    expect(asked).toEqual([
      [
        'runs.fork',
        expect.objectContaining({
          workflowId: 'w',
          runId: 'r',
          from: { unitId: 'u' },
          input: { list: [1], at: '1970-01-01T00:00:00.000Z' },
          state: undefined,
          unitInput: [null],
          sync: false,
        }),
      ],
    ]);
  });

  it('what is not there, or cannot be done, has the status that it has over HTTP', async () => {
    const refusals: readonly [Error, number, string][] = [
      [new UnknownRunError('r'), 404, 'unknown-run'],
      [new UnknownWorkflowError('w'), 404, 'unknown-workflow'],
      [new UnitNotReachedError('r', 'u', 1, 0), 409, 'unit-not-reached'],
      [new DecidedGateError([{ gateId: 1, unitId: 'u', responder: 'ann' }]), 409, 'decided-gate'],
      [new KnownRunError('r'), 409, 'run-known'],
    ];
    for (const [error, status, code] of refusals) {
      const refuse = async (): Promise<never> => {
        throw error;
      };
      async function* refusing(): AsyncGenerator<never> {
        yield await refuse();
      }
      const { client } = engineThat({
        'runs.fork': refuse,
        'runs.list': refuse,
        'runs.import': refuse,
        'workflows.versions': refuse,
        'runs.position': refuse,
        'runs.stream': refusing,
        'runs.export': refusing,
      });
      for (const call of [
        () => client.fork('w', 'r'),
        () => client.listRuns(),
        () => client.importRun('{}'),
        () => client.listVersions('w'),
        () => all(client.watchRun('w', 'r')),
        () => all(client.exportRun('w', 'r')),
      ])
        expect(await thrown(call())).toMatchObject({ status, code, error: error.message });
    }
  });

  it('what an engine does not have is 404', async () => {
    const none = async () => null;
    const { client } = engineThat({ 'runs.event': none, 'workflows.read': none, 'workflows.diff': none });
    for (const call of [
      () => client.getEvent('w', 'r', 7),
      () => client.getWorkflow('w'),
      () => client.getWorkflow('w', { hash: 'h' }),
      () => client.diffVersions('w', 'a', 'b'),
    ])
      expect(await thrown(call())).toMatchObject({ name: 'FlowgateApiError', status: 404 });
  });

  it('a watch is one of the engine, which learns when it is left', async () => {
    const signals: AbortSignal[] = [];
    async function* endless({ signal }: { readonly signal: AbortSignal }) {
      signals.push(signal);
      yield { seq: 1 };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    const { client } = engineThat({
      'runs.position': async () => 9,
      'runs.stream': endless as never,
      'runs.watch': endless as never,
    });
    for await (const event of client.watchRun('w', 'r')) {
      expect(event).toEqual({ seq: 1 });
      break;
    }
    const controller = new AbortController();
    const changes = client.watchRuns({ signal: controller.signal });
    await changes.next();
    const waiting = changes.next();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('a document that would not be registered is an answer', async () => {
    const client = new FlowgateClient();
    const yaml =
      'apiVersion: flowgate/v1\nkind: Workflow\nmetadata: { id: a }\nspec: { units: [{ id: u, uses: builtin.mock }], flow: u }\n';
    expect(await client.validateOnService(yaml)).toEqual({
      ok: true,
      workflowId: 'a',
      details: [],
      warnings: expect.any(Array),
      warningDetails: expect.any(Array),
    });
    expect(await client.validateOnService(yaml.replace('mock', 'mok'))).toMatchObject({
      ok: false,
      details: [{ line: 4, message: expect.stringContaining('builtin.mok') }],
      warnings: [],
      warningDetails: [],
    });
    expect((await client.health()).workflows).toEqual([]);
    await client.close();
  });
});
