import type { RunChange } from '../../src/engine/index.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { inSequence, openEngine } from '../support/engine.js';
import { unit, World } from '../support/family-world.js';

const GATE = { id: 'agree', uses: 'builtin.approval' };
const WORK = { id: 'work', uses: 'work' };

async function observed(units: readonly object[], handler: () => unknown = () => 1) {
  const logger = new RecordingLogger();
  const { engine } = await openEngine({ work: handler }, { logger });
  await engine.workflows.register({ yaml: inSequence('w', units) });
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
