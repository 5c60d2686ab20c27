import type { RunRecord } from '../../src/engine/index.js';
import { ADAPTERS, startHostService } from '../support/host.js';
import { startService, type Answer, type Body, type Service } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { bound, document, gate, mock, remote } from '../support/workflow-documents.js';

let service: Service;
let echo: UnitServer;

const ASKS = { required: ['n'], properties: { n: { type: 'integer' } } };
const draft = (id = 'report', more: object = {}) =>
  document(
    id,
    [
      remote('draft', {
        with: { n: '${{ input.n }}', tone: '${{ has(state.tone) ? state.tone : "plain" }}' },
      }),
      remote('check', { with: { text: '${{ state["output.draft"] }}' } }),
      gate('agree'),
      remote('send', { with: { text: '${{ state["output.check"] }}' } }),
    ],
    { input: ASKS, ...more },
  );

beforeAll(async () => {
  service = await startService();
  // It returns its input, so that outputs show inputs.
  echo = await startUnitServer(({ body }) => ({ body: { content: JSON.parse(body).input } }));
  const bindings = { ...bound('draft', echo.url), ...bound('check', echo.url), ...bound('send', echo.url) };
  await service.register(draft(), bindings);
  await service.register(document('plain', [mock('a'), mock('b')]));
  const child = (workflowId: string) => ({ id: 'child', uses: 'builtin.workflow', config: { workflowId } });
  await service.register(document('family', [mock('before'), child('plain'), mock('after')]));
  await service.register(document('asks', [gate('agree'), mock('noted')]));
  await service.register(document('asks-within', [child('asks'), mock('after')]));
  await service.register(document('asks-deep-within', [child('asks-within'), mock('after')]));
  await service.register(
    document('rounds', [mock('work')], { flow: { type: 'loop', unit: 'work', maxIterations: 3 } }),
  );
});
afterAll(async () => {
  await service.close();
  await echo.close();
});

const pathOf = ({ workflowId, runId }: Pick<RunRecord, 'workflowId' | 'runId'>) =>
  `/workflows/${workflowId}/runs/${runId}`;
const fork = (run: RunRecord, body: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  service.post(`${pathOf(run)}/fork`, { sync: true, ...body }, headers);
const approve = async (run: RunRecord): Promise<RunRecord> =>
  (await service.post(`${pathOf(run)}/hitl`, { approved: true, responder: 'ann' })).body;
const waiting = () => service.start('report', { input: { n: 1 }, sync: true });
const snapshotsOf = async (run: RunRecord): Promise<readonly Body[]> =>
  (await service.get(`${pathOf(run)}/snapshots`)).body.snapshots;
const after = async (run: RunRecord, unitId: string): Promise<string> =>
  (await snapshotsOf(run)).find((one) => one.unitId === unitId)!.snapshotId;
const inputs = () => echo.requests.map(({ body }) => JSON.parse(body).input as unknown);

describe('a fork over HTTP', () => {
  it('returns its address at once, and the run that it was made of stays as it is', async () => {
    const source = await waiting();
    const before = await service.get(pathOf(source));
    const answer = await service.post(`${pathOf(source)}/fork`);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ workflowId: 'report', status: 'running' });
    expect(answer.body.runId).not.toBe(source.runId);
    const url = new URL(answer.headers.location!, `${service.url}${pathOf(source)}/fork`);
    expect(url.pathname).toBe(pathOf(answer.body));
    expect((await service.get(url.pathname)).body.runId).toBe(answer.body.runId);
    expect((await service.get(pathOf(source))).text).toBe(before.text);
  });

  it('begins again from the start without a location, with the input of the run or another one', async () => {
    const source = await waiting();
    const { body: same } = await fork(source);
    expect(same).toMatchObject({ status: 'paused', result: { state: { n: 1, 'output.draft': { n: 1 } } } });
    const { body: other } = await fork(source, { input: { n: 2 } });
    expect(other.result.state).toMatchObject({
      n: 2,
      'output.draft': { n: 2 },
      'output.check': { text: { n: 2 } },
    });
  });

  it('begins after a checkpoint, and calls only what follows it', async () => {
    const source = await approve(await waiting());
    expect(source.status).toBe('completed');
    const from = { snapshotId: await after(source, 'draft') };
    const callsBefore = inputs().length;
    const { body: forked } = await fork(source, { from, state: { tone: 'kind', 'output.draft': 'better' } });
    expect(forked.status).toBe('paused');
    expect(inputs().slice(callsBefore)).toEqual([{ text: 'better' }]);
    expect(forked.result.state).toMatchObject({ tone: 'kind', 'output.check': { text: 'better' } });
    expect(forked.result.completedUnits).toEqual(['draft', 'check']);
    const done = await approve(forked);
    expect(done.result!.state['output.send']).toEqual({ text: { text: 'better' } });
    expect(done.result!.messages.some(({ type }) => type === 'hitl-request')).toBe(true);
  });

  it('begins just before a unit, which is given what was sent, once', async () => {
    const source = await waiting();
    const { body } = await fork(source, { from: { unitId: 'check' }, unitInput: { text: 'mine' } });
    expect(body.result.state).toMatchObject({ 'output.draft': { n: 1 }, 'output.check': { text: 'mine' } });
  });

  it('continues after a decided gate as long as nothing is changed', async () => {
    const source = await approve(await waiting());
    const { body: same } = await fork(source, { from: { unitId: 'send' } });
    expect(same).toMatchObject({ status: 'completed', result: { state: { 'hitl.approved': true } } });
    for (const edit of [{ input: { n: 2 } }, { state: { tone: 'rude' } }, { unitInput: { text: 'rude' } }]) {
      const refused = await fork(source, { from: { unitId: 'send' }, ...edit });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'decided-gate', details: [{ unitId: 'agree', responder: 'ann' }] },
      });
    }
    // The same holds for a fork of a fork that changed nothing.
    const again = await fork(same, { from: { snapshotId: `${same.runId}.2` }, state: { tone: 'rude' } });
    expect(again).toMatchObject({ status: 409, body: { details: [{ unitId: 'agree' }] } });
  });

  it.each(['asks-within', 'asks-deep-within'])(
    'continues after a gate that was decided in a child run as long as nothing is changed (%s)',
    async (workflowId) => {
      const source = await approve(await service.start(workflowId, { sync: true }));
      expect(source.status).toBe('completed');
      const from = { unitId: 'after' };
      expect((await fork(source, { from })).body.status).toBe('completed');
      const { childRunId: runId } = source.result!.messages.find(
        ({ type }) => type === 'child-started',
      ) as Body;
      const refused = { status: 409, body: { details: [{ runId, unitId: 'child', responder: 'ann' }] } };
      expect(await fork(source, { from, state: { tone: 'rude' } })).toMatchObject(refused);
      const same = (await fork(source, { from })).body;
      expect(await fork(same, { from, input: { n: 2 } })).toMatchObject(refused);
      // A fork that begins before that child may change everything: the child asks again.
      const anew = await fork(source, { from: { unitId: 'child' }, input: { n: 2 } });
      expect(anew.body.status).toBe('paused');
    },
  );

  it('takes what was decided in a child run for no gate of its parent', async () => {
    const source = await approve(await service.start('asks-within', { sync: true }));
    const log = await service.get(`${pathOf(source)}/events?view=log`);
    const started = log.body.items.find(({ type }: Body) => type === 'child-started') as Body;
    const decision = { approved: true, responder: 'ann' };
    const over = await service.post(`${pathOf(source)}/hitl`, decision);
    expect(over).toMatchObject({ status: 500, body: { code: 'run-over' } });
    const named = await service.post(`${pathOf(source)}/hitl`, { ...decision, gateId: started.seq });
    expect(named).toMatchObject({ status: 500, body: { code: 'run-over' } });
  });

  it('is made once for each key, also when two ask at the same instant', async () => {
    const source = await waiting();
    const key = (name: string) => ({ 'idempotency-key': name });
    const body = { from: { unitId: 'check' }, state: { tone: 'kind' } };
    const both = await Promise.all([fork(source, body, key('one')), fork(source, body, key('one'))]);
    expect(new Set(both.map((answer) => answer.body.runId)).size).toBe(1);
    expect((await fork(source, body, key('one'))).body.runId).toBe(both[0].body.runId);
    const other = await fork(source, { ...body, state: { tone: 'rude' } }, key('one'));
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency-conflict' } });
    // A refused request keeps no key.
    expect((await fork(source, { state: { 'hitl.approved': true } }, key('two'))).status).toBe(400);
    expect((await fork(source, {}, key('two'))).status).toBe(202);
  });

  it('begins a child run of its own, and takes the parts of a loop sequentially', async () => {
    const family = await service.start('family');
    const { body } = await fork(family, { from: { unitId: 'child' } });
    expect(body).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['before', 'child', 'after'] },
    });
    const started = (run: RunRecord) =>
      run.result!.messages.find(({ type }) => type === 'child-started') as Body;
    expect(started(body).childRunId).not.toBe(started(family).childRunId);
    // A fork of the child itself has no parent.
    const child = { workflowId: 'plain', runId: started(family).childRunId } as RunRecord;
    expect((await fork(child, { from: { unitId: 'b' } })).body.result.completedUnits).toEqual(['a', 'b']);
    const rounds = await service.start('rounds');
    const last = await fork(rounds, { from: { unitId: 'work', occurrence: 3 } });
    expect(last.body.result.messages.filter(({ type }: Body) => type === 'unit-output')).toHaveLength(1);
    const beyond = await fork(rounds, { from: { unitId: 'work', occurrence: 4 } });
    expect(beyond).toMatchObject({
      status: 409,
      body: { code: 'unit-not-reached', error: expect.stringContaining('3 times, not 4 times') },
    });
  });

  it('continues by the definition that is registered now, where that has the same location', async () => {
    const mocked = (id: string, units: readonly object[]) => service.register(document(id, units));
    await mocked('growing', [mock('a'), gate('agree'), mock('b')]);
    const source = await service.start('growing');
    const from = { unitId: 'agree' };
    await mocked('growing', [mock('a'), mock('more'), mock('b')]);
    expect((await fork(source, { from })).body.status).toBe('paused');
    expect((await fork(source, { from, definition: 'current' })).body).toMatchObject({
      status: 'completed',
      result: { completedUnits: ['a', 'more', 'b'] },
    });
    const waits = { snapshotId: await after(source, 'agree') };
    const refused = await fork(source, { from: waits, definition: 'current' });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'incompatible-definition', details: [{ path: '/spec/flow/order/1' }] },
    });
    // A fork of a run of the earlier document uses that document, whatever is registered.
    const [old] = [await fork(source, { from: waits })];
    expect((await approve(old.body)).result!.completedUnits).toEqual(['a', 'agree', 'b']);
  });

  it.each<[string, object, number, string]>([
    ['no location', { from: {} }, 400, 'send one of the two'],
    ['two locations', { from: { snapshotId: 'x.1', unitId: 'a' } }, 400, 'send one of the two'],
    ['a misspelt location', { from: { snapshot: 'x.1' } }, 400, 'did you mean snapshotId?'],
    ['a location that is a text', { from: 'a' }, 400, 'from must be an object'],
    ['a misspelt field', { form: { unitId: 'a' } }, 400, 'did you mean from?'],
    ['a checkpoint of another run', { from: { snapshotId: 'x.1' } }, 404, 'No checkpoint found'],
    ['a unit of another workflow', { from: { unitId: 'x' } }, 400, 'send one of draft, check, agree, send'],
    ['a unit that it never came to', { from: { unitId: 'send' } }, 409, 'never came to the unit send'],
    ['a time that is none', { from: { unitId: 'draft', occurrence: 0 } }, 400, 'at least 1'],
    ['an input that does not fit', { input: { n: 'one' } }, 400, 'does not fit the workflow'],
    ['an input that forges a decision', { input: { n: 1, 'hitl.approved': true } }, 400, 'is reserved'],
    ['a state that forges a decision', { state: { 'hitl.approved': true } }, 400, 'is reserved'],
    ['a state that hides an error', { state: { 'errors.check': 1 } }, 400, 'is reserved'],
    [
      'a state that decides at a gate',
      { state: { 'output.agree': { approved: true } } },
      400,
      'what somebody decided',
    ],
    ['an output of nobody', { state: { 'output.x': 1 } }, 400, 'the output of no unit'],
    ['a unit input without a unit', { unitInput: 1 }, 400, 'name it with from.unitId'],
    ['a unit input for a gate', { from: { unitId: 'agree' }, unitInput: {} }, 400, 'is called with an input'],
    ['a definition of another time', { definition: 'newest' }, 400, 'pinned or current'],
    ['labels that are none', { labels: { 'A b': 'c' } }, 400, 'cannot be used'],
    ['a list for a state', { state: [] }, 400, 'state must be an object'],
  ])('refuses %s', async (_what, body, status, says) => {
    const source = await waiting();
    const answer = await fork(source, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(says)]);
  });

  it('refuses a key that would change what objects are', async () => {
    const source = await waiting();
    const path = `${pathOf(source)}/fork`;
    for (const field of ['state', 'input', 'unitInput']) {
      const raw = `{"from": {"unitId": "check"}, "${field}": {"n": 1, "__proto__": {"admin": true}}}`;
      expect(await service.post(path, raw)).toMatchObject({ status: 400 });
    }
  });

  it('is refused for an unknown run', async () => {
    const source = await waiting();
    for (const path of ['/workflows/report/runs/x/fork', `/workflows/plain/runs/${source.runId}/fork`]) {
      expect(await service.post(path, { from: 7 })).toMatchObject({
        status: 404,
        body: { code: 'unknown-run' },
      });
    }
  });
});

it.each(ADAPTERS)('is found relative to its request, in a host on %s with a prefix', async (adapter) => {
  const host = await startHostService({ adapter, flowgate: { prefix: 'flows' } }, '/flows');
  try {
    await host.register(document('plain', [mock('a')]));
    const source = await host.start('plain');
    // Fastify takes a slash at the end only where its host asks for that.
    for (const end of adapter === 'express' ? ['', '/'] : ['']) {
      const path = `${pathOf(source)}/fork${end}`;
      const { status, body, headers } = await host.post(path, { sync: true });
      expect([status, body.status]).toEqual([202, 'completed']);
      const { pathname } = new URL(headers.location!, `${host.url}${path}`);
      expect(pathname).toBe(`/flows${pathOf(body)}`);
    }
  } finally {
    await host.close();
  }
});
