import fc from 'fast-check';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { withSum } from '../support/exports.js';
import { mutated } from '../support/forgeries/mutations.js';
import type { ForgedEvent } from '../support/forgeries/edited-log.js';
import { gatedText } from '../support/forgeries/gated-workflow.js';
import { inSequence } from '../support/engine.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { WanderingRun } from '../support/wandering-run.js';

/** `FLOWGATE_FORGERIES=1000` for the whole proof. */
const numRuns = Number(process.env['FLOWGATE_FORGERIES'] ?? 150);
const dice = fc.infiniteStream(fc.nat(0xffff));
const MOST_FORKS = 12;
const MOST_EVENTS = 400;

/** An engine that knows the units of random workflows, and counts the calls of those after the gate. */
async function place(): Promise<{ engine: Engine; clock: ManualClock; behind: () => number }> {
  let behind = 0;
  const clock = new ManualClock();
  const engine = createEngine({ clock, shutdownGraceMs: 0, sameInstantMs: 0, resumeWaitMs: 0 });
  await engine.open();
  engine.registerUnit('work', () => 'done');
  engine.registerUnit<{ route: string }>('route', ({ input: { route } }) => ({
    content: 'routed',
    metadata: { route },
  }));
  engine.registerUnit('orchestrate', () => ({ content: 0, metadata: { delegations: [] } }));
  engine.registerUnit('behind', () => {
    behind += 1;
    return 'done';
  });
  await engine.workflows.register({ yaml: inSequence('inner', [{ id: 'i', uses: 'work' }]) });
  return { engine, clock, behind: () => behind };
}

/** Lifts the run's pauses and lets time pass, and decides nothing. */
async function moved({ engine, clock }: Awaited<ReturnType<typeof place>>, runId: string): Promise<void> {
  const address = { workflowId: 'random', runId };
  for (let tries = 0; tries < 12; tries++) {
    for (let times = 0; times < 3; times++) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(50);
    }
    const { status } = await engine.runs.get(address);
    if (status === 'completed' || status === 'failed') return;
    if (status !== 'paused') continue;
    if ((await engine.gates.open(address)).some(({ unitId }) => unitId === 'last-gate')) return;
    // The request waits for the run to pause, by the clock.
    const waiting = new Set([address]);
    const isDone = (): void => waiting.clear();
    engine.runs.resume(address).then(isDone, isDone);
    for (let times = 0; waiting.size > 0 && times < 100; times++) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(50);
    }
  }
}

/** Finishes the run; false: it is too long for so many cases. */
function isFinished(run: SimulatedRun, roll: (sides: number) => number): boolean {
  const tooLong = new Error('too long');
  try {
    run.finish(roll, () => {
      if (run.log.length > MOST_EVENTS) throw tooLong;
    });
    return true;
  } catch (error) {
    if (error === tooLong) return false;
    throw error;
  }
}

describe('an export that was changed and sealed anew', () => {
  it('never has a unit called after a gate that was not decided here, from whichever checkpoint it is forked', async () => {
    let taken = 0;
    let forks = 0;
    await fc.assert(
      fc.asyncProperty(gatedText, dice, async (text, random) => {
        const roll = (sides: number) => random.next().value! % sides;
        const plan = compileText(text);
        const run = new SimulatedRun(plan);
        if (roll(4) === 0) {
          const wandering = new WanderingRun(plan, () => roll(0x10000));
          wandering.wander(roll(60));
          run.log = wandering.run.log;
        } else if (!isFinished(run, roll)) return;
        if (run.log.length > MOST_EVENTS) return;
        const log = JSON.parse(JSON.stringify(run.log)) as ForgedEvent[];
        const events = mutated(log, roll, plan);
        const names = [...new Set([...plan.units.values()].map(({ uses }) => uses))];
        const uses = Object.fromEntries(
          names.filter((name) => !name.startsWith('builtin.')).map((name) => [name, 'in-process']),
        );
        const { workflowId, hash } = plan;
        const header = { format: 'flowgate-run/1', runId: 'run', workflowId, yaml: text, hash, uses };
        const there = await place();
        const imported = await there.engine.runs
          .import({ ndjson: Buffer.from(withSum([header, ...events])) })
          .then(
            () => true,
            (error: { readonly code?: string }) => {
              expect(error).toMatchObject({ code: 'invalid-request' });
              return false;
            },
          );
        if (imported) {
          taken += 1;
          const source = { workflowId, runId: 'run' };
          const snapshots = await there.engine.runs.snapshots(source);
          const every = Math.max(1, Math.ceil(snapshots.length / MOST_FORKS));
          for (const { snapshotId } of snapshots.filter(
            (_one, index) => (index - snapshots.length + 1) % every === 0,
          )) {
            const fork = await there.engine.runs.fork({ ...source, from: { snapshotId } }).catch(() => null);
            if (fork === null) continue;
            forks += 1;
            await moved(there, fork.runId);
          }
        }
        expect(there.behind()).toBe(0);
        await there.engine.close();
      }),
      { numRuns, endOnFailure: true },
    );
    // Some are honest logs still: truncated, or with another outcome.
    expect(taken).toBeGreaterThan(0);
    expect(forks).toBeGreaterThan(0);
    if (process.env['FLOWGATE_FORGERIES'] !== undefined) console.log({ numRuns, taken, forks });
  }, 3_600_000);
});
