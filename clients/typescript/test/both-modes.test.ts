import {
  FlowgateApiError,
  FlowgateValidationError,
  FlowgateWaitTimeoutError,
  type WorkflowDocument,
} from 'flowgate-client';
import { bound, document, gate, mock } from '../../../test/support/workflow-documents.js';
import { startUnitServer } from '../../../test/support/unit-server.js';
import { eventually } from '../../../test/support/eventually.js';
import { ALL_MODES, BOTH_MODES, inProcess, type Mode } from './support/modes.js';

const NO_RUN = '01a1f2f0-0000-7000-8000-000000000000';

/** What was thrown, for looking at. */
const thrown = (promise: Promise<unknown>): Promise<FlowgateApiError> =>
  promise.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as FlowgateApiError,
  );

describe.each(ALL_MODES)('a client of %s', (name, start) => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await start();
  });
  afterEach(() => mode.close());

  it('registers a workflow and gives its id, and nothing else', async () => {
    const yaml = document('greeting', [mock('greet')]);
    expect(await mode.client.validateYaml(yaml)).toEqual({ ok: true, workflowId: 'greeting' });
    expect(await mode.client.loadAndRegister(yaml)).toEqual({ workflowId: 'greeting' });
    expect(await mode.client.health()).toMatchObject({ ok: true, workflows: ['greeting'] });
  });

  it('registers a workflow that is given as data', async () => {
    const workflow: WorkflowDocument = {
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id: 'as data' },
      spec: {
        units: [{ id: 'sum', uses: 'test.sum' }],
        flow: { type: 'sequential', order: ['sum'] },
      },
    };
    mode.registerUnit('test.sum', ({ input }) => {
      const { a, b } = input as { readonly a: number; readonly b: number };
      return a + b;
    });
    expect(await mode.client.loadAndRegister(workflow)).toEqual({ workflowId: 'as data' });
    const run = await mode.client.startWorkflow<{ readonly 'output.sum': number }>(
      'as data',
      { a: 2, b: 3 },
      { sync: true },
    );
    expect(run).toMatchObject({ status: 'completed', workflowId: 'as data' });
    expect(run.result?.state['output.sum']).toBe(5);
  });

  it('binds units to endpoints', async () => {
    const unit = await startUnitServer({ body: { content: 'from afar' } });
    const yaml = document('bound', [{ id: 'far', uses: 'acme.far' }]);
    await mode.client.loadAndRegister(yaml, bound('far', unit.url) as never);
    const run = await mode.client.startWorkflow('bound', {}, { sync: true });
    expect(run.result?.state).toEqual({ 'output.far': 'from afar' });
    await unit.close();
  });

  it('starts, waits for a run, decides at its gate under the name sdk, and reads its messages', async () => {
    await mode.client.loadAndRegister(document('gated', [mock('a'), gate('agree'), mock('b')]));
    const started = await mode.client.startWorkflow('gated', { n: 1 });
    expect(started.status).toBe('running');
    const { runId } = started;
    const paused = await mode.client.waitForRun('gated', runId);
    expect(paused).toMatchObject({ status: 'paused', result: { completedUnits: ['a'] } });
    expect(await mode.client.resume('gated', runId)).toMatchObject({ status: 'paused' });

    const over = await mode.client.respondHITL('gated', runId, true, undefined, { comment: 'fine' });
    expect(over.status).toBe('completed');
    expect(over.result?.state['output.agree']).toMatchObject({
      approved: true,
      responder: 'sdk',
      comment: 'fine',
    });
    expect(await mode.client.getRun('gated', runId)).toEqual(over);

    const first = await mode.client.getMessages('gated', runId, { limit: 2 });
    const rest = await mode.client.getMessages('gated', runId, { after: first.next! });
    expect([...first.messages, ...rest.messages]).toEqual(over.result?.messages);
    expect(rest.next).toBeNull();
  });

  it('reads all that is known of a run that failed, and where', async () => {
    const failing = [mock('a'), { id: 'b', uses: 'builtin.fail', config: { message: 'no luck' } }];
    await mode.client.loadAndRegister(document('failing', failing));
    const { runId } = await mode.client.startWorkflow('failing', {}, { sync: true });
    const full = await mode.client.getRun('failing', runId, { view: 'full' });
    expect(full).toMatchObject({ status: 'failed', error: 'no luck', rootRunId: runId, parentRunId: null });
    expect(full.result.completedUnits).toEqual(['a']);
    expect(full.failure).toMatchObject({ unitId: 'b', path: '/spec/flow/order/1', line: 1, code: 'fail' });
    expect(await mode.client.getRun('failing', runId, { view: 'plain' })).not.toHaveProperty('failure');
    const wrong = mode.client.getRun('failing', runId, { view: 'all' as never });
    await expect(wrong).rejects.toThrow("view must be 'plain' or 'full'");
  });

  it('unregisters a workflow once', async () => {
    await mode.client.loadAndRegister(document('short-lived', [mock('a')]));
    await expect(mode.client.deleteWorkflow('short-lived')).resolves.toBeUndefined();
    await expect(mode.client.deleteWorkflow('short-lived')).rejects.toMatchObject({
      status: 404,
      code: 'unknown-workflow',
      error: 'Unknown workflow: short-lived',
    });
    await expect(mode.client.startWorkflow('short-lived')).rejects.toMatchObject({ status: 500 });
  });

  it('goes back to a checkpoint', async () => {
    let calls = 0;
    mode.registerUnit('test.count', () => (calls += 1));
    const units = [mock('a'), { id: 'b', uses: 'test.count' }];
    await mode.client.loadAndRegister(document('twice', units));
    const { runId, result } = await mode.client.startWorkflow('twice', {}, { sync: true });
    const message = result?.messages.find(({ type }) => type === 'checkpoint');
    const { snapshotId } = message as { readonly snapshotId: string };
    await mode.client.resume('twice', runId, snapshotId);
    expect(await mode.client.waitForRun('twice', runId)).toMatchObject({ status: 'completed' });
    expect(calls).toBe(2);
  });

  it('cancels a run: its unit is told, its clean-up runs, and who asked is in the record', async () => {
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    mode.registerUnit('test.patient', (_call, { signal }) => {
      begun();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('told in time')));
    });
    const units = [{ id: 'work', uses: 'test.patient' }, mock('next'), mock('release')];
    const spec = { onCancel: ['release'], flow: { type: 'sequential', order: ['work', 'next'] } };
    await mode.client.loadAndRegister(document('cancelled', units, spec));
    const { runId } = await mode.client.startWorkflow('cancelled');
    await isBegun;
    const over = await mode.client.cancel('cancelled', runId, { by: 'ann' });
    expect(over).toMatchObject({ status: 'failed', error: 'Cancelled by ann', cancelled: true });
    const { messages } = await mode.client.getMessages('cancelled', runId);
    expect(messages.filter(({ type }) => type !== 'checkpoint')).toMatchObject([
      { type: 'cancel-requested', by: 'ann' },
      { type: 'unit-output', sourceUnitId: 'work', data: 'told in time' },
      { type: 'unit-output', sourceUnitId: 'release' },
      { type: 'run-cancelled', by: 'ann' },
    ]);
    expect(await mode.client.cancel('cancelled', runId)).toEqual(over);
  });

  it('pauses a run under the name sdk, until it is resumed', async () => {
    let finish!: (value: string) => void;
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    mode.registerUnit('test.awaited', () => {
      begun();
      return new Promise((resolve) => (finish = resolve));
    });
    await mode.client.loadAndRegister(document('halted', [{ id: 'a', uses: 'test.awaited' }, mock('b')]));
    const { runId } = await mode.client.startWorkflow('halted');
    await isBegun;
    const idempotencyKey = `pause ${runId}`;
    const pausing = mode.client.pause('halted', runId, { idempotencyKey });
    await eventually(
      () => mode.client.getMessages('halted', runId),
      ({ messages }) => messages.some(({ type }) => type === 'run-paused'),
    );
    finish('done');
    const paused = await pausing;
    expect(paused).toMatchObject({ status: 'paused', result: { completedUnits: ['a'] } });
    expect(await mode.client.pause('halted', runId, { idempotencyKey })).toMatchObject({
      status: 'paused',
      result: { completedUnits: ['a'] },
    });
    const { messages } = await mode.client.getMessages('halted', runId);
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'run-paused', reason: 'requested', error: 'Paused by sdk' }),
    );
    const done = await mode.client.resume('halted', runId, null, { budget: { maxTokens: 1_000 } });
    expect(done).toMatchObject({ status: 'completed', result: { completedUnits: ['a', 'b'] } });
  });

  it('tells of a run that failed as a record, not as an error', async () => {
    await mode.client.loadAndRegister(
      document('failing', [{ id: 'no', uses: 'builtin.fail', config: { message: 'it is late' } }]),
    );
    const run = await mode.client.startWorkflow('failing', {}, { sync: true });
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('it is late') });
    expect(run).not.toHaveProperty('result');
  });

  it('carries the same request out once for the same key', async () => {
    await mode.client.loadAndRegister(document('keyed', [mock('a')]));
    const options = { sync: true, idempotencyKey: 'order 7' };
    const first = await mode.client.startWorkflow('keyed', { n: 1 }, options);
    expect(await mode.client.startWorkflow('keyed', { n: 1 }, options)).toEqual(first);
    const other = await thrown(mode.client.startWorkflow('keyed', { n: 2 }, options));
    expect(other).toMatchObject({ status: 409, type: 'IdempotencyConflictError' });
  });

  it('finds in the memory what the mode has', async () => {
    await mode.client.loadAndRegister(document('remembered', [mock('a', 'a purple elephant')]));
    await mode.client.startWorkflow('remembered', {}, { sync: true });
    const search = () => mode.client.searchMemory('elephant');
    if (name.includes('in process')) {
      expect(await search()).toEqual({ results: [] });
    } else {
      const { results } = await eventually(search, (found) => found.results.length > 0);
      expect(results[0]).toMatchObject({ content: expect.stringContaining('purple'), score: 1 });
      expect((await mode.client.searchMemory('elephant', 1_000)).results).toHaveLength(1);
    }
    expect(await mode.client.searchMemory('')).toEqual({ results: [] });
  });

  it('ends a call when its signal fires, with the reason; the run goes on', async () => {
    let finish!: (value: string) => void;
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    mode.registerUnit('test.slow', () => {
      begun();
      return new Promise((resolve) => (finish = resolve));
    });
    await mode.client.loadAndRegister(document('slow', [{ id: 'a', uses: 'test.slow' }]));
    const controller = new AbortController();
    const { signal } = controller;
    const idempotencyKey = 'the one';
    const starting = mode.client.startWorkflow('slow', {}, { sync: true, signal, idempotencyKey });
    await isBegun;
    controller.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
    await expect(mode.client.health({ signal })).rejects.toThrow('enough');

    const again = mode.client.startWorkflow('slow', {}, { sync: true, idempotencyKey });
    finish('done after all');
    expect((await again).result?.state).toEqual({ 'output.a': 'done after all' });
  });

  it('does not wait for a run longer than it is told, and says how it stood', async () => {
    let finish!: () => void;
    mode.registerUnit('test.stuck', () => new Promise<void>((resolve) => (finish = resolve)));
    await mode.client.loadAndRegister(document('stuck', [{ id: 'a', uses: 'test.stuck' }]));
    const { runId } = await mode.client.startWorkflow('stuck');
    const waiting = mode.client.waitForRun('stuck', runId, { timeoutMs: 300 });
    const error = await thrown(waiting);
    expect(error).toBeInstanceOf(FlowgateWaitTimeoutError);
    expect(error).toMatchObject({ record: { runId, status: 'running' } });
    const stop = mode.client.waitForRun('stuck', runId, { signal: AbortSignal.timeout(100) });
    await expect(stop).rejects.toThrow('timeout');
    finish();
    expect(await mode.client.waitForRun('stuck', runId)).toMatchObject({ status: 'completed' });
  });
});

describe.each(BOTH_MODES)('a client of %s is refused', (_name, start) => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await start();
  });
  afterEach(() => mode.close());

  it('a decision where several gates are open, each of them named', async () => {
    const units = [gate('one'), gate('two')];
    const flow = { type: 'parallel', units: ['one', 'two'] };
    await mode.client.loadAndRegister(document('gates', units, { flow }));
    const { runId } = await mode.client.startWorkflow('gates', {}, { sync: true });
    const error = await thrown(mode.client.respondHITL('gates', runId, true));
    expect(error).toMatchObject({ status: 409, code: 'ambiguous-gate', type: 'AmbiguousGateError' });
    for (const title of ['May one pass?', 'May two pass?']) expect(error.message).toContain(title);

    const { gateId } = error.details[0] as { readonly gateId: number };
    await mode.client.respondHITL('gates', runId, true, 'ann', { gateId });
    const against = await thrown(mode.client.respondHITL('gates', runId, false, 'bob', { gateId }));
    expect(against).toMatchObject({ status: 409, code: 'gate-decided', type: 'GateDecidedError' });
  });

  it('a workflow that cannot be loaded, which only the service finds', async () => {
    const yaml = document('lost', [{ id: 'a', uses: 'acme.nowhere' }]);
    expect(await mode.client.validateYaml(yaml)).toEqual({ ok: true, workflowId: 'lost' });
    const error = (await thrown(mode.client.loadAndRegister(yaml))) as FlowgateValidationError;
    expect(error).toBeInstanceOf(FlowgateValidationError);
    expect(error).toMatchObject({ status: 400, code: 'yaml-load', type: 'YamlLoadError' });
    expect(error.faults[0]).toMatchObject({ path: '/spec/units/0/uses', line: 1 });
  });

  it.each<[string, (client: Mode['client']) => unknown]>([
    ['a is NaN', (client) => client.startWorkflow('w', { a: NaN })],
    ['a is a bigint', (client) => client.startWorkflow('w', { a: 1n })],
  ])('an argument that JSON would lose: %s', async (sentence, call) => {
    const error = await thrown((async () => call(mode.client))());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(sentence);
  });
});

describe('a client of an engine in process is refused with the status and the words of the interface', () => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await inProcess();
  });
  afterEach(() => mode.close());

  it.each<[string, (client: Mode['client']) => Promise<unknown>, object]>([
    [
      'an unknown workflow',
      (client) => client.startWorkflow('nobody'),
      {
        status: 500,
        code: 'unknown-workflow',
        error: 'Unknown workflow: nobody',
        message: 'Unknown workflow: nobody',
      },
    ],
    [
      'a workflow of nearly that name',
      async (client) => {
        await client.loadAndRegister(document('refund', [mock('a')]));
        await client.startWorkflow('refnd');
      },
      { status: 500, code: 'unknown-workflow', detail: 'Did you mean refund?' },
    ],
    [
      'an unknown run that is read',
      (client) => client.getRun('w', NO_RUN),
      { status: 404, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
    [
      'an unknown run that is resumed',
      (client) => client.resume('w', NO_RUN),
      { status: 500, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
    [
      'an unknown run that is decided',
      (client) => client.respondHITL('w', NO_RUN, true),
      { status: 500, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
    [
      'an unknown run that is cancelled',
      (client) => client.cancel('w', NO_RUN),
      { status: 404, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
    [
      'an unknown run that is paused',
      (client) => client.pause('w', NO_RUN),
      { status: 404, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
    [
      'messages of an unknown run',
      (client) => client.getMessages('w', NO_RUN),
      { status: 404, code: 'unknown-run', error: `Unknown run: ${NO_RUN}` },
    ],
  ])('%s', async (_case, call, expected) => {
    const error = await thrown(call(mode.client));
    expect(error).toBeInstanceOf(FlowgateApiError);
    expect(error).toMatchObject(expected);
  });

  it('an input that breaks its schema, every fault named', async () => {
    const input = { type: 'object', required: ['a', 'b'] };
    await mode.client.loadAndRegister(document('strict', [mock('x')], { input }));
    const error = await thrown(mode.client.startWorkflow('strict', { c: 1 }));
    expect(error).toMatchObject({ status: 400, code: 'invalid-input' });
    expect(error.details).toHaveLength(2);
    for (const { message } of error.details) expect(error.message).toContain(message);
  });

  it('a checkpoint that is none', async () => {
    await mode.client.loadAndRegister(document('short', [mock('x')]));
    const { runId } = await mode.client.startWorkflow('short', {}, { sync: true });
    const error = await thrown(mode.client.resume('short', runId, `${runId}.999`));
    expect(error).toMatchObject({
      status: 500,
      code: 'no-checkpoint',
      error: `No checkpoint found for run: ${runId}`,
    });
  });

  it('a cursor that is none', async () => {
    await mode.client.loadAndRegister(document('paged', [mock('x')]));
    const { runId } = await mode.client.startWorkflow('paged', {}, { sync: true });
    const error = await thrown(mode.client.getMessages('paged', runId, { after: 'nonsense' }));
    expect(error).toMatchObject({ status: 400, code: 'invalid-request' });
  });
});
