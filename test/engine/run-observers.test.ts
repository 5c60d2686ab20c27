import { HOOK_MOMENTS, type HookMoment, type RunChange } from '../../src/engine/index.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { inSequence, openEngine } from '../support/engine.js';
import { unit, World } from '../support/family-world.js';
import { document } from '../support/workflow-documents.js';

const GATE = { id: 'agree', uses: 'builtin.approval' };
const WORK = { id: 'work', uses: 'work' };

async function observed(units: readonly object[], handler: () => unknown = () => 1, flow?: object) {
  const logger = new RecordingLogger();
  const { engine } = await openEngine({ work: handler }, { logger });
  const yaml = flow === undefined ? inSequence('w', units) : document('w', units, { flow });
  await engine.workflows.register({ yaml });
  const changes: RunChange[] = [];
  const stop = engine.runs.observe((change) => void changes.push(change));
  const moments = () => changes.map(({ moment }) => moment);
  return { engine, changes, moments, stop, logger };
}

describe('an observer of runs', () => {
  it('is notified that a run starts and completes, when that is durable', async () => {
    const { engine, changes, moments } = await observed([WORK]);
    const { runId, createdAt } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(moments()).toEqual(['started', 'completed']);
    const address = { namespace: 'default', workflowId: 'w', runId };
    expect(changes[0]).toEqual({ moment: 'started', ...address, at: createdAt });
    expect(changes.every((change) => Object.isFrozen(change))).toBe(true);
    await engine.close();
  });

  it('is notified of each pause once, and of the end', async () => {
    const { engine, moments } = await observed([GATE, { ...GATE, id: 'again' }]);
    const address = {
      workflowId: 'w',
      runId: (await engine.runs.start({ workflowId: 'w', sync: true })).runId,
    };
    expect(moments()).toEqual(['started', 'paused']);
    await engine.gates.respond({ ...address, approved: true, responder: 'ann' });
    expect(moments()).toEqual(['started', 'paused', 'paused']);
    await engine.gates.respond({ ...address, approved: false, responder: 'ann' });
    expect(moments()).toEqual(['started', 'paused', 'paused', 'failed']);
    await engine.close();
  });

  it('is notified of a pause by request once what was in flight is given up', async () => {
    const world = new World();
    await world.open();
    await world.register(inSequence('w', [unit('work')]));
    const run = await world.start('w');
    const moments: string[] = [];
    world.engine.runs.observe(({ moment }) => void moments.push(moment));
    expect(await world.asked(world.engine.runs.pause(run))).toMatchObject({ status: 'paused' });
    expect(moments).toEqual(['paused']);
    await world.close();
  });

  it('that asks for them is notified of gates, of units that failed, of cancels and of what moves again', async () => {
    const { engine, moments } = await observed(
      [
        { ...GATE, id: 'first' },
        { id: 'work', uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } },
      ],
      () => Promise.reject(new Error('x'.repeat(5_000))),
    );
    const told: RunChange<HookMoment>[] = [];
    engine.runs.observe<HookMoment>((change) => void told.push(change), HOOK_MOMENTS);
    const { runId } = await engine.runs.start({ workflowId: 'w', sync: true });
    const run = { workflowId: 'w', runId };
    await engine.gates.respond({ ...run, approved: true, responder: 'ann' });
    await engine.runs.resume(run);
    expect(told.map(({ moment }) => moment)).toEqual([
      'started',
      'gateOpened',
      'paused',
      'gateClosed',
      'resumed',
      'unitFailed',
      'failed',
      'resumed',
      'unitFailed',
      'failed',
    ]);
    expect(told[1]?.about).toEqual({ unitId: 'first', gateId: 2 });
    expect(told[3]?.about).toEqual({ unitId: 'first', gateId: 2, closedBy: 'decision', approved: true });
    const failed = told[5]?.about;
    expect(failed).toMatchObject({ unitId: 'work', executionId: expect.any(Number) });
    expect(failed?.error?.length).toBeLessThanOrEqual(1_000);
    // Others hear what they always did.
    expect(moments()).toEqual(['started', 'paused', 'failed', 'failed']);
    await engine.close();
  });

  it('hears why a gate closed that nobody decided at, and of the cancel that closed it', async () => {
    const { engine } = await observed([{ ...GATE, config: { timeout: 'P1D' } }]);
    const told: RunChange<HookMoment>[] = [];
    const asked = ['gateOpened', 'gateClosed', 'cancelled'] as const;
    engine.runs.observe<HookMoment>((change) => void told.push(change), asked);
    const { runId, createdAt } = await engine.runs.start({ workflowId: 'w', sync: true });
    await engine.runs.cancel({ workflowId: 'w', runId });
    expect(told).toMatchObject([
      { moment: 'gateOpened', about: { unitId: 'agree', gateId: 2, dueAt: createdAt + 86_400_000 } },
      { moment: 'cancelled' },
      { moment: 'gateClosed', about: { unitId: 'agree', gateId: 2, closedBy: 'cancel' } },
    ]);
    await engine.close();
  });

  it('hears of a gate again that waits again, because its failed run was resumed', async () => {
    let isBroken = true;
    const { engine } = await observed(
      [GATE, { id: 'work', uses: 'work', policyOverrides: { retry: { maxAttempts: 1 } } }],
      () => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve({ content: 'done' })),
      { type: 'parallel', units: ['agree', 'work'] },
    );
    const told: RunChange<HookMoment>[] = [];
    engine.runs.observe<HookMoment>((change) => void told.push(change), ['gateOpened', 'gateClosed']);
    const { runId, status } = await engine.runs.start({ workflowId: 'w', sync: true });
    expect(status).toBe('failed');
    isBroken = false;
    await engine.runs.resume({ workflowId: 'w', runId });
    const about = { unitId: 'agree', gateId: 2 };
    expect(told).toMatchObject([
      { moment: 'gateOpened', about },
      { moment: 'gateClosed', about: { ...about, closedBy: 'failure' } },
      { moment: 'gateOpened', about },
    ]);
    await engine.close();
  });

  it('that throws stops neither the run nor the others, and is logged', async () => {
    const { engine, moments, logger } = await observed([WORK]);
    engine.runs.observe(() => {
      throw new Error('of the observer');
    });
    const later: string[] = [];
    engine.runs.observe(({ moment }) => void later.push(moment));
    expect(await engine.runs.start({ workflowId: 'w', sync: true })).toMatchObject({ status: 'completed' });
    expect([moments(), later]).toEqual([
      ['started', 'completed'],
      ['started', 'completed'],
    ]);
    expect(logger.said.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { error: 'of the observer', moment: 'started' } },
      { fields: { error: 'of the observer', moment: 'completed' } },
    ]);
    await engine.close();
  });

  it('is not notified once it has unsubscribed', async () => {
    const { engine, moments, stop } = await observed([WORK]);
    stop();
    await engine.runs.start({ workflowId: 'w', sync: true });
    expect(moments()).toEqual([]);
    await engine.close();
  });
});
