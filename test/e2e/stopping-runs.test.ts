import type { RunMessage, RunRecord } from '../../src/engine/index.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { startUnitServer, type Reply, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';

/** Long enough for a unit that responds as soon as it can, short enough to wait for one that does not. */
const GRACE_MS = 600;

let service: Service;
let work: UnitServer;
let release: UnitServer;
beforeAll(async () => {
  service = await startService({ FLOWGATE_CANCEL_GRACE_MS: String(GRACE_MS) });
  [work, release] = await Promise.all([startUnitServer(), startUnitServer()]);
  const bindings = { ...bound('work', work.url), ...bound('release', release.url) };
  const cleaning = { onCancel: ['release', 'note'], flow: { type: 'sequential', order: ['work', 'next'] } };
  const note = { id: 'note', uses: 'builtin.set', config: { values: { cleaned: true } } };
  await service.register(
    document('cleaning', [remote('work'), mock('next'), remote('release'), note], cleaning),
    bindings,
  );
  await service.register(document('working', [mock('first', 1), remote('work'), mock('next', 2)]), bindings);
  const spending = ['one', 'two', 'three'].map((id) => ({ id, uses: 'acme.work' }));
  const policy = { budget: { maxTokens: 15, onExceed: 'pause' } };
  await service.register(document('frugal', spending, { policy }), bindings);
  const child = { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'working' } };
  await service.register(document('family', [child]));
  await service.register(document('gated', [gate('agree'), mock('next')]));
  await service.register(document('plain', [mock('a')]));
  await service.register(
    document('breaking', [{ id: 'a', uses: 'builtin.fail', config: { message: 'no' } }]),
  );
});
beforeEach(() => {
  work.answer({ body: { content: 'worked' } });
  release.answer({ body: { content: 'released' } });
});
afterAll(async () => {
  await service.close();
  await Promise.all([work.close(), release.close()]);
});

type How = 'cancel' | 'pause';
const pathOf = ({ workflowId, runId }: Pick<RunRecord, 'workflowId' | 'runId'>) =>
  `/workflows/${workflowId}/runs/${runId}`;
const stop = (how: How, run: RunRecord, body?: unknown, headers?: Record<string, string>) =>
  service.post(`${pathOf(run)}/${how}`, body, headers);
const resume = (run: RunRecord, body?: unknown) => service.post(`${pathOf(run)}/resume`, body);

async function messagesOf(run: RunRecord): Promise<readonly RunMessage[]> {
  const { body } = await service.get(`${pathOf(run)}/messages`);
  return (body.messages as RunMessage[]).filter(({ type }) => type !== 'checkpoint');
}
const typesOf = (messages: readonly RunMessage[]) => messages.map(({ type }) => type);

const whenSaid = (run: RunRecord, type: RunMessage['type']) =>
  eventually(
    () => messagesOf(run),
    (messages) => typesOf(messages).includes(type),
  );

/** A run whose unit has been called and responds when the test says so. */
async function runAtWork(workflowId: string) {
  const before = work.requests.length;
  let answer: (reply: Reply) => void = () => undefined;
  work.answer(() => new Promise<Reply>((resolve) => (answer = resolve)));
  const run = await service.start(workflowId, {});
  await work.received(before + 1);
  return { run, answer: (reply: Reply) => answer(reply), calls: () => work.requests.slice(before) };
}

describe.each<How>(['cancel', 'pause'])('a request to %s', (how) => {
  it.each([
    ['an unknown run', '/workflows/plain/runs/nothing', 'nothing'],
    ['a run of an unknown workflow', '/workflows/nobody/runs/nothing', 'nothing'],
  ])('%s is 404, before whatever is wrong with the body', async (_which, path, runId) => {
    for (const body of [undefined, '{', { by: 7 }]) {
      const { status, body: said } = await service.post(`${path}/${how}`, body);
      expect([status, said]).toEqual([404, { error: `Unknown run: ${runId}`, code: 'unknown-run' }]);
    }
  });

  it('a run of another workflow is 404', async () => {
    const run = await service.start('gated');
    const answer = await stop(how, { ...run, workflowId: 'plain' });
    expect([answer.status, answer.body.code]).toEqual([404, 'unknown-run']);
    expect(await service.run(run)).toEqual(run);
  });

  it.each([
    ['a list', [], 'The body must be a JSON object'],
    ['nobody in particular', { by: '' }, 'by must be a string of 1 to 256 characters'],
    ['a name that is too long', { by: 'x'.repeat(257) }, 'by must be a string of 1 to 256 characters'],
    ['no name', { by: 7 }, 'by must be a string of 1 to 256 characters'],
    ['a near miss', { By: 'ann' }, 'By is no field of this body: did you mean by?'],
  ])('with %s is 400, and leaves the run as it was', async (_what, body, error) => {
    const run = await service.start('gated');
    const answer = await stop(how, run, body);
    expect([answer.status, answer.body]).toMatchObject([400, { error, code: 'invalid-request' }]);
    expect(await service.run(run)).toEqual(run);
  });

  it('with an invalid key is 400', async () => {
    const answer = await stop(how, await service.start('gated'), {}, { 'idempotency-key': 'naïve' });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'Idempotency-Key must be 1 to 256 printable ASCII characters',
    ]);
  });

  it('that arrives again under its key is carried out once, and another one under the key is 409', async () => {
    const run = await service.start('gated');
    const headers = { 'idempotency-key': 'once' };
    const first = await stop(how, run, { by: 'ann' }, headers);
    expect((await stop(how, run, { by: 'ann' }, headers)).body).toEqual(first.body);
    const other = await stop(how, run, { by: 'bob' }, headers);
    expect([other.status, other.body.type]).toEqual([409, 'IdempotencyConflictError']);
    const asked = typesOf(await messagesOf(run)).filter((type) => /paused|cancelled/.test(type));
    expect(asked).toHaveLength(1);
  });

  it('from a unit is refused', async () => {
    const run = await service.start('gated');
    const answer = await stop(how, run, {}, { 'x-flowgate-run-id': '7' });
    expect([answer.status, answer.body.code]).toEqual([403, 'self-call']);
  });

  it.each([
    ['no body', undefined, 'user'],
    ['an empty body', {}, 'user'],
    ['by null', { by: null }, 'user'],
    ['a name', { by: 'ann' }, 'ann'],
  ])('with %s is carried out, and says by whom', async (_what, body, by) => {
    const run = await service.start('gated');
    expect((await stop(how, run, body)).status).toBe(200);
    expect((await messagesOf(run)).at(-1)).toMatchObject(
      how === 'cancel'
        ? { type: 'run-cancelled', by }
        : { type: 'run-paused', reason: 'requested', error: `Paused by ${by}` },
    );
  });

  it('for a completed run returns it as it is', async () => {
    const run = await service.start('plain');
    const { status, body } = await stop(how, run);
    expect([status, body]).toEqual([200, run]);
  });
});

describe('a run that is cancelled', () => {
  it('at a gate is over at once, and the gate no longer accepts a decision', async () => {
    const run = await service.start('gated');
    const { status, body } = await stop('cancel', run, { by: 'ann' });
    expect([status, body.status, body.error]).toEqual([200, 'failed', 'Cancelled by ann']);
    const decided = await service.post(`${pathOf(run)}/hitl`, { approved: true });
    expect([decided.status, decided.body.code]).toEqual([500, 'run-over']);
    expect(await service.run(run)).toEqual(body);
  });

  it('records the outcome of its unit within the grace, calls nothing that follows, and cleans up', async () => {
    const { run, answer, calls } = await runAtWork('cleaning');
    const released = release.requests.length;
    const cancelling = stop('cancel', run, { by: 'ann' });
    await whenSaid(run, 'cancel-requested');
    expect(await service.run(run)).toMatchObject({ status: 'running' });
    expect(release.requests).toHaveLength(released);
    answer({ body: { content: 'worked after all' } });

    const { status, body } = await cancelling;
    expect([status, body.status, body.error]).toEqual([200, 'failed', 'Cancelled by ann']);
    const messages = await messagesOf(run);
    expect(typesOf(messages)).toEqual([
      'cancel-requested',
      'unit-output',
      'unit-output',
      'state-update',
      'run-cancelled',
    ]);
    expect(messages[0]).toMatchObject({ by: 'ann' });
    expect(messages[1]).toMatchObject({ sourceUnitId: 'work', data: 'worked after all' });
    expect(messages[2]).toMatchObject({ sourceUnitId: 'release', data: 'released' });
    expect(calls()).toHaveLength(1);
    const [call] = release.requests.slice(released);
    expect(JSON.parse(call!.body)).toMatchObject({
      context: { unitId: 'release', runId: run.runId },
      state: { 'output.work': 'worked after all' },
    });
  });

  it('waits no longer than the grace for a unit that does not respond, and then releases it', async () => {
    const { run, calls } = await runAtWork('cleaning');
    const began = performance.now();
    const { body } = await stop('cancel', run);
    const tookMs = performance.now() - began;
    expect([body.status, body.error]).toEqual(['failed', 'Cancelled by user']);
    expect(tookMs).toBeGreaterThan(GRACE_MS - 50);
    expect(tookMs).toBeLessThan(GRACE_MS + 10_000);
    await work.disconnected();
    expect(calls()).toHaveLength(1);
    expect(typesOf(await messagesOf(run)).slice(-2)).toEqual(['state-update', 'run-cancelled']);
  });

  it('is cancelled though its clean-up fails', async () => {
    release.answer({ status: 400, body: { error: 'no such reservation' } });
    const { run, answer } = await runAtWork('cleaning');
    const cancelling = stop('cancel', run);
    await whenSaid(run, 'cancel-requested');
    answer({ body: {} });
    expect((await cancelling).body).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
    const types = typesOf(await messagesOf(run));
    expect([types.includes('unit-failed'), types.at(-1)]).toEqual([true, 'run-cancelled']);
  });

  it('is cancelled once, however often that is asked', async () => {
    const { run, answer } = await runAtWork('cleaning');
    const released = release.requests.length;
    const asked = Promise.all([stop('cancel', run, { by: 'ann' }), stop('cancel', run, { by: 'bob' })]);
    await whenSaid(run, 'cancel-requested');
    answer({ body: {} });
    const [one, two] = await asked;
    expect(one.body).toEqual(two.body);
    expect((await stop('cancel', run, { by: 'eve' })).body).toEqual(one.body);
    expect(release.requests).toHaveLength(released + 1);
    expect(typesOf(await messagesOf(run)).filter((type) => type === 'run-cancelled')).toHaveLength(1);
  });

  it('does not continue when it is resumed', async () => {
    const run = await service.start('gated');
    const { body } = await stop('cancel', run);
    expect((await resume(run)).body).toEqual(body);
  });

  it('may have failed before: then it cannot be retried', async () => {
    const run = await service.start('breaking');
    expect(run.error).toBe('no');
    expect((await stop('cancel', run)).body).toMatchObject({ status: 'failed', error: 'Cancelled by user' });
  });
});

describe('a run that is paused on request', () => {
  it('records the outcome of its unit within the grace, pauses, and continues after it when it is resumed', async () => {
    const { run, answer, calls } = await runAtWork('working');
    const pausing = stop('pause', run, { by: 'ann' });
    await whenSaid(run, 'run-paused');
    answer({ body: { content: 'worked' } });
    const { status, body } = await pausing;
    expect([status, body.status, body.result.state]).toEqual([
      200,
      'paused',
      { 'output.first': 1, 'output.work': 'worked' },
    ]);
    // A second request changes nothing.
    const again = await stop('pause', run, { by: 'bob' });
    expect(again.body).toMatchObject({ status: 'paused', result: { state: body.result.state } });
    expect(typesOf(await messagesOf(run)).filter((type) => type === 'run-paused')).toHaveLength(1);
    const done = await resume(run);
    expect(done.body).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['first', 'work', 'next'] },
    });
    expect(calls()).toHaveLength(1);
  });

  it('releases a unit that does not respond in time, and calls it again under its key', async () => {
    const { run, calls } = await runAtWork('working');
    const { body } = await stop('pause', run);
    expect(body).toMatchObject({ status: 'paused', result: { completedUnits: ['first'] } });
    await work.disconnected();
    work.answer({ body: { content: 'worked' } });
    expect((await resume(run)).body.status).toBe('completed');
    const keys = calls().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('at a gate accepts the decision, and continues from it once it is resumed', async () => {
    const run = await service.start('gated');
    await stop('pause', run);
    const decided = await service.post(`${pathOf(run)}/hitl`, { approved: true, responder: 'ann' });
    expect(decided.body).toMatchObject({ status: 'paused', result: { completedUnits: ['agree'] } });
    expect((await resume(run)).body).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['agree', 'next'] },
    });
  });

  it('can be cancelled', async () => {
    const { run, answer } = await runAtWork('cleaning');
    const pausing = stop('pause', run);
    await whenSaid(run, 'run-paused');
    answer({ body: {} });
    expect((await pausing).body.status).toBe('paused');
    const released = release.requests.length;
    expect((await stop('cancel', run, { by: 'ann' })).body).toMatchObject({ error: 'Cancelled by ann' });
    expect(release.requests).toHaveLength(released + 1);
  });
});

describe('a resume with a budget', () => {
  const TOKENS = 'budget.maxTokens must be a whole number from 0 to 9007199254740991';
  const COST = 'budget.maxCost must be a number from 0 to 1000000000000000';

  it.each<[string, unknown, string]>([
    ['a number', 7, 'budget must be an object'],
    ['a list', [], 'budget must be an object'],
    ['less than no tokens', { maxTokens: -1 }, TOKENS],
    ['a part of a token', { maxTokens: 1.5 }, TOKENS],
    ['tokens in a text', { maxTokens: '7' }, TOKENS],
    ['more tokens than can be counted', { maxTokens: 2 ** 53 }, TOKENS],
    ['less than no cost', { maxCost: -0.01 }, COST],
    ['a cost in a text', { maxCost: '1' }, COST],
    ['more cost than there is', { maxCost: 1e16 }, COST],
    ['both', { maxTokens: -1, maxCost: -1 }, `${TOKENS}\n${COST}`],
    ['a near miss', { maxToken: 7 }, 'maxToken is no field of budget: did you mean maxTokens?'],
    ['another near miss', { max_cost: 7 }, 'max_cost is no field of budget: did you mean maxCost?'],
  ])('of %s is 400, says what to send, and leaves the run as it was', async (_what, budget, error) => {
    const run = await service.start('gated');
    const answer = await resume(run, { budget });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.body.details[0].path).toMatch(/^budget/);
    expect(await service.run(run)).toEqual(run);
  });

  it('names everything that is wrong at once', async () => {
    const run = await service.start('gated');
    const { body } = await resume(run, { snapshotId: 7, budget: { maxTokens: -1 }, buget: {} });
    expect(body.error.split('\n')).toEqual([
      'snapshotId must be a string',
      TOKENS,
      'buget is no field of this body: did you mean budget?',
    ]);
  });

  it.each([{ budget: null }, { budget: {} }, { budget: { maxTokens: null, maxCost: null, note: 'x' } }])(
    'that says nothing is one without: %j',
    async (body) => {
      const run = await service.start('gated');
      expect((await resume(run, body)).body.status).toBe('paused');
    },
  );

  it('continues a run that has spent its budget, and does not under the same budget', async () => {
    work.answer({ body: { content: 'worked', tokenUsage: { totalTokens: 10 } } });
    const before = work.requests.length;
    const run = await service.start('frugal');
    expect(run).toMatchObject({
      status: 'paused',
      result: { completedUnits: ['one', 'two'], tokenUsage: 20 },
    });
    const [violated, paused] = (await messagesOf(run)).slice(-2);
    expect(violated).toMatchObject({ type: 'policy-violation', unitId: 'three' });
    expect(paused).toMatchObject({ type: 'run-paused', reason: 'budget', unitId: 'three' });

    expect((await resume(run)).body.status).toBe('paused');
    expect((await resume(run, { budget: { maxCost: 1 } })).body.status).toBe('paused');
    expect((await resume(run, { budget: { maxTokens: 20 } })).body.status).toBe('paused');
    expect(work.requests).toHaveLength(before + 2);
    const { body } = await resume(run, { budget: { maxTokens: 21 } });
    expect(body).toMatchObject({ status: 'completed', result: { tokenUsage: 30 } });
  });
});

describe('a run that another one started', () => {
  const childOf = async (run: RunRecord) => {
    const started = (await messagesOf(run)).find((message) => message.type === 'child-started');
    return { workflowId: 'working', runId: started!.childRunId };
  };

  async function familyAtWork() {
    const before = work.requests.length;
    work.answer(() => new Promise<Reply>(() => undefined));
    const parent = await service.start('family', {});
    await work.received(before + 1);
    return { parent, child: await childOf(parent) };
  }

  it('is cancelled with the one that waits for it', async () => {
    const { parent, child } = await familyAtWork();
    expect((await stop('cancel', parent, { by: 'ann' })).body).toMatchObject({ error: 'Cancelled by ann' });
    const ended = await eventually(
      () => service.run(child),
      ({ status }) => status === 'failed',
    );
    expect(ended.error).toMatch(/^Cancelled by /);
  });

  it('is paused and resumed with it', async () => {
    const { parent, child } = await familyAtWork();
    expect((await stop('pause', parent)).body.status).toBe('paused');
    await eventually(
      () => service.run(child),
      ({ status }) => status === 'paused',
    );
    work.answer({ body: { content: 'worked' } });
    await resume(parent);
    const done = await eventually(
      () => service.run(parent),
      ({ status }) => status === 'completed',
    );
    expect(done.result?.state['output.child']).toMatchObject({ 'output.work': 'worked' });
  });

  it('may be cancelled alone: then the one that waits for it fails, and says why', async () => {
    const { parent, child } = await familyAtWork();
    const childRun = await service.run(child);
    expect((await stop('cancel', childRun, { by: 'ann' })).body).toMatchObject({ error: 'Cancelled by ann' });
    const failed = await eventually(
      () => service.run(parent),
      ({ status }) => status === 'failed',
    );
    expect(failed.error).toContain(child.runId);
    expect((await messagesOf(parent)).find(({ type }) => type === 'child-ended')).toMatchObject({
      unitId: 'child',
      childRunId: child.runId,
      status: 'cancelled',
    });
  });
});
