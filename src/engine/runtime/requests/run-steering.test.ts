import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { inSequence, openEngine, workflowYaml } from '../../../../test/support/engine.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import type { EngineOptions } from '../../engine-options.js';
import type { UnitHandler } from '../../units/in-process.js';

const gate = (id: string, config: object = {}) => ({ id, uses: 'builtin.approval', config });
const work = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });

/** A run of these units at the point where it stopped first. */
async function stopped(
  yaml: string,
  options: Partial<EngineOptions> = {},
  handler: UnitHandler = () => 'done',
) {
  const store = new InMemoryRunStore();
  const { engine, clock } = await openEngine({ work: handler }, { store, ...options });
  await engine.workflows.register({ yaml });
  const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
  const address = { workflowId: 'w', runId };
  const log = () => store.readEvents({ runId, afterSeq: 0, limit: 100 });
  return { engine, clock, store, address, log, responder: { ...address, responder: 'ann' } };
}

/** Whether the promise has come to its end by now. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true;
  void promise.finally(() => {
    open = false;
  });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return open;
}

describe('a decision for a run that is over', () => {
  it('returns the record when any gate was decided so, and is refused else', async () => {
    const soft = inSequence('w', [gate('first'), gate('second', { onReject: 'continue' })]);
    const { engine, responder, log } = await stopped(soft);
    await engine.gates.respond({ ...responder, approved: true });
    await engine.gates.respond({ ...responder, approved: false });
    const [first, second] = (await log()).filter(({ type }) => type === 'gate-opened').map(({ seq }) => seq);
    const { length } = await log();
    for (const decision of [
      { approved: true },
      { approved: false },
      { approved: true, gateId: first! },
      { approved: false, gateId: second! },
    ]) {
      expect((await engine.gates.respond({ ...responder, ...decision })).status).toBe('completed');
    }
    for (const decision of [
      { approved: false, gateId: first! },
      { approved: true, gateId: second! },
      { approved: true, gateId: 99 },
    ]) {
      await expect(engine.gates.respond({ ...responder, ...decision })).rejects.toMatchObject({
        code: 'run-over',
        detail: expect.stringContaining('over (completed)'),
      });
    }
    expect(await log()).toHaveLength(length);
  });

  it('is refused where nothing was ever decided', async () => {
    const { engine, responder } = await stopped(inSequence('w', [work('a')]));
    for (const approved of [true, false]) {
      await expect(engine.gates.respond({ ...responder, approved })).rejects.toMatchObject({
        code: 'run-over',
      });
    }
  });
});

describe('a decision for a gate by its id', () => {
  it('that was made before returns the record of the run; the opposite one is refused', async () => {
    const { engine, responder, log } = await stopped(inSequence('w', [gate('first'), gate('second')]));
    const named = { ...responder, gateId: 2 };
    await engine.gates.respond({ ...named, approved: true });
    const { length } = await log();
    expect((await engine.gates.respond({ ...named, approved: true })).result?.completedUnits).toEqual([
      'first',
    ]);
    await expect(engine.gates.respond({ ...named, approved: false })).rejects.toMatchObject({
      code: 'gate-decided',
      details: [expect.objectContaining({ approved: true, responder: 'ann' })],
    });
    await expect(engine.gates.respond({ ...named, gateId: 99, approved: true })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    expect(await log()).toHaveLength(length);
  });

  it('tells who decided, and what they said', async () => {
    const { engine, responder, log } = await stopped(inSequence('w', [gate('g')]));
    await engine.gates.respond({ ...responder, approved: true, comment: 'fine', gateId: 2 });
    expect((await log())[2]).toMatchObject({
      type: 'gate-decided',
      gateId: 2,
      approved: true,
      responder: 'ann',
      comment: 'fine',
      by: { id: 'ann', via: 'in-process' },
    });
  });
});

describe('a decision where no gate is open', () => {
  it('changes nothing, and writes nothing without a key', async () => {
    const { engine, responder, log } = await stopped(inSequence('w', [work('a', { pause: 'before' })]));
    const { length } = await log();
    expect((await engine.gates.respond({ ...responder, approved: true })).status).toBe('paused');
    expect(await log()).toHaveLength(length);
    await engine.gates.respond({ ...responder, approved: true, idempotencyKey: 'k' });
    expect(await log()).toHaveLength(length + 1);
  });
});

describe('a run that nobody knows', () => {
  it('cannot be steered, neither can one of another workflow', async () => {
    const { engine, address } = await stopped(inSequence('w', [gate('g')]));
    for (const other of [
      { ...address, runId: 'nobody' },
      { ...address, workflowId: 'v' },
      { ...address, namespace: 'acme' },
    ]) {
      await expect(engine.runs.resume(other)).rejects.toMatchObject({ code: 'unknown-run' });
      await expect(
        engine.gates.respond({ ...other, approved: true, responder: 'ann' }),
      ).rejects.toMatchObject({ code: 'unknown-run' });
    }
    expect((await engine.runs.get(address)).status).toBe('paused');
  });
});

describe('a resume', () => {
  it('of a run of which nothing was done yet says so', async () => {
    const { engine } = await openEngine({ work: () => new Promise(() => undefined) });
    await engine.workflows.register({ yaml: inSequence('w', [work('a')]) });
    const { runId } = await engine.runs.start({ workflowId: 'w' });
    await expect(engine.runs.resume({ workflowId: 'w', runId })).rejects.toMatchObject({
      code: 'no-checkpoint',
      detail: expect.stringContaining('start it again'),
    });
  });

  it('at the latest checkpoint continues from there, at an older one goes back', async () => {
    const yaml = inSequence('w', [work('a'), work('b', { pause: 'before' })]);
    const { engine, address, log } = await stopped(yaml);
    const [afterA, latest] = await engine.runs.snapshots(address);
    const types = async () => (await log()).map(({ type }) => type);
    expect((await engine.runs.resume({ ...address, snapshotId: latest!.snapshotId })).status).toBe(
      'completed',
    );
    expect(await types()).not.toContain('rewound');
    expect((await engine.runs.resume({ ...address, snapshotId: afterA!.snapshotId })).status).toBe('paused');
    expect(await types()).toContain('rewound');
  });

  it('lifts every pause that is open, and no gate', async () => {
    const units = [work('a', { pause: 'before' }), work('b', { pause: 'before' }), gate('g')];
    const flow = { type: 'parallel', units: ['a', 'b', 'g'] };
    const { engine, address } = await stopped(workflowYaml('w', { units, flow }));
    expect((await engine.runs.resume(address)).result?.completedUnits.toSorted()).toEqual(['a', 'b']);
  });

  it('tries a failed run again, and leaves one that is completed alone', async () => {
    let isBroken = true;
    const fails = (): string => {
      if (isBroken) throw Object.assign(new Error('no'), { retryable: false });
      return 'done';
    };
    const yaml = inSequence('w', [gate('g'), work('a')]);
    const { engine, address, log, responder } = await stopped(yaml, {}, fails);
    expect((await engine.gates.respond({ ...responder, approved: true })).status).toBe('failed');
    isBroken = false;
    expect((await engine.runs.resume(address)).status).toBe('completed');
    const { length } = await log();
    expect((await engine.runs.resume(address)).status).toBe('completed');
    expect(await log()).toHaveLength(length);
  });

  it('says who sent it', async () => {
    const { engine, address, log } = await stopped(inSequence('w', [work('a', { pause: 'before' })]));
    const by = { id: 'bob', owner: 'acme', via: 'http', auth: 'host' } as const;
    await engine.runs.resume({ ...address, by });
    expect((await log()).find(({ type }) => type === 'resumed')).toMatchObject({ by });
  });
});

describe('what was chosen', () => {
  it('is deferred until the requests of the same instant have chosen too', async () => {
    const yaml = inSequence('w', [gate('first'), gate('second')]);
    const { engine, clock, responder, log } = await stopped(yaml, { sameInstantMs: 20 });
    const deciding = engine.gates.respond({ ...responder, approved: true });
    expect(await isOpen(deciding)).toBe(true);
    const again = engine.gates.respond({ ...responder, approved: true });
    await clock.advance(19);
    expect(await log()).toHaveLength(2);
    await clock.advance(1);
    expect((await deciding).result?.completedUnits).toEqual(['first']);
    expect((await again).result?.completedUnits).toEqual(['first']);
  });

  it('is done at once where no time is to be waited', async () => {
    const { engine, clock, responder } = await stopped(inSequence('w', [gate('g')]), { sameInstantMs: 0 });
    // The followers that began with the engine come to their first break.
    for (let turns = 0; turns < 5; turns += 1) await turn();
    const schedule = clock.schedule.bind(clock);
    const instants: number[] = [];
    clock.schedule = (at, callback) => {
      if (at - clock.now() < 100) instants.push(at);
      return schedule(at, callback);
    };
    expect((await engine.gates.respond({ ...responder, approved: true })).status).toBe('completed');
    expect(instants).toEqual([]);
  });
});

describe('a cancel of a run that is being cancelled', () => {
  it('does not cancel what a resume of the same instant makes of it', async () => {
    const yaml = inSequence('w', [work('a'), gate('g'), work('b')]);
    let calls = 0;
    const { engine, clock, address, log, responder } = await stopped(
      yaml,
      { sameInstantMs: 20, cancelGraceMs: 10_000, resumeWaitMs: 0 },
      () => ((calls += 1) === 1 ? 'done' : new Promise(() => undefined)),
    );
    const soon = async (request: Promise<unknown>): Promise<void> => {
      await clock.advance(20);
      await request;
    };
    await soon(engine.gates.respond({ ...responder, approved: true }));
    await soon(engine.runs.cancel(address));
    const [afterA] = await engine.runs.snapshots(address);
    const resuming = engine.runs.resume({ ...address, snapshotId: afterA!.snapshotId });
    expect(await isOpen(resuming)).toBe(true);
    const again = engine.runs.cancel(address);
    expect(await isOpen(again)).toBe(true);
    await clock.advance(20);
    await Promise.all([resuming, again]);
    const types = (await log()).map(({ type }) => type);
    expect(types.slice(types.indexOf('cancel-requested'))).toEqual([
      'cancel-requested',
      'rewound',
      'gate-opened',
    ]);
  });
});

describe('the record for a request that steers a run', () => {
  it('comes when the run stops again', async () => {
    const open = Promise.withResolvers<string>();
    const yaml = inSequence('w', [gate('g'), work('a')]);
    const { engine, responder } = await stopped(yaml, {}, () => open.promise);
    const deciding = engine.gates.respond({ ...responder, approved: true });
    expect(await isOpen(deciding)).toBe(true);
    open.resolve('done');
    expect((await deciding).status).toBe('completed');
  });

  it('comes when that takes too long, with the run as it is', async () => {
    const yaml = inSequence('w', [gate('g'), work('a')]);
    const never: UnitHandler = () => new Promise(() => undefined);
    const { engine, clock, responder } = await stopped(yaml, { resumeWaitMs: 3_000 }, never);
    const deciding = engine.gates.respond({ ...responder, approved: true });
    expect(await isOpen(deciding)).toBe(true);
    await clock.advance(2_999);
    expect(await isOpen(deciding)).toBe(true);
    await clock.advance(1);
    expect((await deciding).status).toBe('running');
  });

  it('comes when the time is over that the request gives it, or when it is given up', async () => {
    const yaml = inSequence('w', [gate('g'), work('a')]);
    const never: UnitHandler = () => new Promise(() => undefined);
    const { engine, clock, address, responder } = await stopped(yaml, { resumeWaitMs: 3_000 }, never);
    const deciding = engine.gates.respond({ ...responder, approved: true, waitMs: 500 });
    await clock.advance(499);
    expect(await isOpen(deciding)).toBe(true);
    await clock.advance(1);
    expect((await deciding).status).toBe('running');
    const leaving = new AbortController();
    const resuming = engine.runs.resume({ ...address, waitMs: 9_000, signal: leaving.signal });
    await clock.advance(3_000);
    expect(await isOpen(resuming)).toBe(true);
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(1);
    leaving.abort();
    expect((await resuming).status).toBe('running');
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0);
  });

  it('leaves no timer behind', async () => {
    const { engine, clock, responder } = await stopped(inSequence('w', [gate('g')]), {
      resumeWaitMs: 9_999_999,
    });
    await clock.advance(1_000);
    const before = clock.scheduled;
    await engine.gates.respond({ ...responder, approved: true });
    await clock.advance(1_000);
    expect(clock.scheduled).toBeLessThanOrEqual(before);
  });
});
