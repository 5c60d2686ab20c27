import fc from 'fast-check';
import { OffLoop } from '../../src/engine/definitions/thread/off-loop.js';
import { createEngine, replayRun, type Engine, type RunRecord } from '../../src/engine/index.js';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { recordedState } from '../../src/engine/core/state/view/state-view.js';
import { InvalidRequestError } from '../../src/errors/request-errors.js';
import { RunOverError } from '../../src/errors/run-errors.js';
import { isOver, statusOf } from '../../src/engine/core/state/status.js';
import { replayExport } from '../../src/engine/runtime/transfer/replay/replay-export.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { exportOf, withSum } from '../support/exports.js';
import { inSequence } from '../support/engine.js';
import { compileText } from '../support/simulated-run.js';
import { WanderingRun } from '../support/wandering-run.js';
import { timedWorkflowText, workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

/** `FLOWGATE_EXPORTS=1000` for more. */
const numRuns = lawCases(200, 'FLOWGATE_EXPORTS');
const LONGEST_MS = 120_000 + numRuns * 1_000;
const dice = fc.infiniteStream(fc.nat(0xffff));

/** The export that an engine would have written of a run that was made up. */
function exported(text: string, log: readonly RunEvent[]): string {
  const plan = compileText(text);
  const names = [...plan.units.values()]
    .map(({ uses }) => uses)
    .filter((uses) => !uses.startsWith('builtin.'));
  const uses = Object.fromEntries(names.map((name) => [name, 'in-process']));
  const { workflowId, hash } = plan;
  return withSum([{ format: 'flowgate-run/1', runId: 'run', workflowId, yaml: text, hash, uses }, ...log]);
}

describe('a random run, whatever happened to it', () => {
  it(
    'is imported as it stood, moved by nothing, and replayed without a difference',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          timedWorkflowText,
          dice,
          fc.nat(80),
          fc.boolean(),
          async (text, random, steps, isCut) => {
            const roll = () => random.next().value!;
            // Turns that were preempted elsewhere, as another throttle or another machine does it.
            const budget = () => ({ steps: Infinity, chars: Infinity, events: 1 + (roll() % 4) });
            const { run, ...wandering } = wanderer(text, roll, isCut ? budget : null);
            wandering.wander(steps);
            const engine = createEngine({ shutdownGraceMs: 0 });
            await engine.open();
            const { runId } = run.state;
            const ndjson = Buffer.from(exported(text, run.log));
            const record = await engine.runs.import({ ndjson });
            const { state } = run;
            const status = isOver(state) ? statusOf(state) : 'failed';
            expect(record).toMatchObject({ runId, status });
            if (status === 'completed') expect(record.result?.state).toEqual(plainJson(recordedState(state)));
            else if (isOver(state)) expect(record.error).toBe(state.error);
            else expect(record.error).toContain('not over when it was imported');
            await expect(engine.runs.get({ workflowId: 'random', runId })).resolves.toEqual(record);
            const again = await exportOf(engine, { workflowId: 'random', runId });
            expect(again.startsWith(ndjson.toString().split('\n').slice(0, -2).join('\n'))).toBe(true);
            const replay = await replayExport({ ndjson: Buffer.from(again) }, new OffLoop(null));
            expect(replay).toMatchObject({ different: 0, differences: [], isSameDefinition: true });
            await engine.close();
          },
        ),
        { numRuns },
      );
    },
    LONGEST_MS,
  );
});

/** Units whose outcomes follow from their input, whenever and wherever they are called. */
function register(engine: Engine): void {
  engine.registerUnit('work', (_request, { unitId }) => `${unitId} is done`);
  engine.registerUnit('fail', () => {
    throw new Error('broken');
  });
  engine.registerUnit<{ route: string }>('route', ({ input: { route } }) => ({
    content: 'routed',
    metadata: { route },
  }));
  engine.registerUnit<{ rounds: number; specialists: string[] }>(
    'orchestrate',
    ({ input }, { state, unitId }) => {
      const before = Number(state[`output.${unitId}`] ?? 0);
      const delegations = input.specialists.map((targetUnitId) => ({ targetUnitId, task: before }));
      const isDone = before >= input.rounds;
      return { content: isDone ? 0 : before + 1, metadata: { delegations: isDone ? [] : delegations } };
    },
  );
}

interface Place {
  readonly engine: Engine;
  readonly clock: ManualClock;
}

async function place(): Promise<Place> {
  const clock = new ManualClock();
  const engine = createEngine({
    clock,
    shutdownGraceMs: 0,
    sameInstantMs: 0,
    resumeWaitMs: 0,
    forkPastGates: true,
  });
  await engine.open();
  register(engine);
  await engine.workflows.register({ yaml: inSequence('inner', [{ id: 'i', uses: 'work' }]) });
  return { engine, clock };
}

/** Approves, resumes and lets time pass until the run is over. */
async function finished({ engine, clock }: Place, { workflowId, runId }: RunRecord): Promise<RunRecord> {
  const address = { workflowId, runId };
  for (let tries = 0; tries < 300; tries++) {
    const record = await engine.runs.get(address);
    if (record.status === 'completed' || record.status === 'failed') return record;
    const [gate] = await engine.gates.open(address);
    const steered =
      gate !== undefined
        ? engine.gates.respond({ ...address, approved: true, responder: 'ann', gateId: gate.gateId })
        : record.status === 'paused'
          ? engine.runs.resume(address)
          : null;
    const waiting = new Set(steered === null ? [] : [steered]);
    const isDone = (): void => waiting.clear();
    steered?.then(isDone, isDone);
    // The request waits for the run to pause, by the clock.
    do {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(50);
    } while (waiting.size > 0);
    // A branch that fails may end the run, or what its `try` closes, between the look at its gates and the decision.
    await steered?.catch((error: unknown) => {
      const isClosed = error instanceof InvalidRequestError && error.message.includes('has no gate');
      if (!(error instanceof RunOverError) && !isClosed) throw error;
    });
  }
  throw new Error('The run does not come to an end.');
}

describe('a random run of an engine', () => {
  it(
    'ends alike once it was exported, imported elsewhere and forked there',
    async () => {
      let forked = 0;
      await fc.assert(
        fc.asyncProperty(workflowText, fc.nat(), fc.boolean(), async (yaml, at, isEarly) => {
          const [here, there] = await Promise.all([place(), place()]);
          await here.engine.workflows.register({ yaml });
          const started = await here.engine.runs.start({ workflowId: 'random', input: { n: 1 } });
          // An early export is of a run that continues.
          const early = isEarly ? await exportOf(here.engine, started) : null;
          const end = await finished(here, started);
          const text = early ?? (await exportOf(here.engine, end));
          expect(await replayRun({ ndjson: Buffer.from(text) })).toMatchObject({ different: 0 });
          await there.engine.runs.import({ ndjson: Buffer.from(text) });
          const snapshots = await there.engine.runs.snapshots(started);
          const from = snapshots[at % (snapshots.length + 1)];
          const fork = await there.engine.runs.fork({
            workflowId: started.workflowId,
            runId: started.runId,
            ...(from === undefined ? {} : { from: { snapshotId: from.snapshotId } }),
          });
          // The fork is given the same outcomes and decisions.
          const again = await finished(there, fork);
          if (from !== undefined) forked += 1;
          const failed = linesWithFailures(text) || end.status === 'failed';
          expect(again.status).toBe(end.status);
          if (!failed) expect(masked(again.result?.state)).toEqual(masked(end.result?.state));
          const ndjson = Buffer.from(await exportOf(there.engine, fork));
          const sources = [Buffer.from(await exportOf(there.engine, started))];
          expect(await replayRun({ ndjson, sources })).toMatchObject({ different: 0 });
          await Promise.all([here.engine.close(), there.engine.close()]);
        }),
        { numRuns, endOnFailure: true },
      );
      expect(forked).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});

function wanderer(text: string, roll: () => number, budget: ConstructorParameters<typeof WanderingRun>[2]) {
  const wandering = new WanderingRun(compileText(text), roll, budget);
  return { run: wandering.run, wander: (steps: number) => wandering.wander(steps) };
}

function linesWithFailures(text: string): boolean {
  return /"type":"(?:unit-failed|run-failed)"|"type":"branch-closed"[^\n]*"error":"/.test(text);
}

function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The state without the instants at which gates were decided. */
function masked(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state ?? null, (key, value) => (key === 'decidedAt' ? 0 : value)));
}
