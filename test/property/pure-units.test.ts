import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { InMemoryRunStore, type Engine, type JsonObject } from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import type { UnitHandler } from '../../src/engine/units/in-process.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { lawCases } from '../support/law-cases.js';
import { workflowText } from '../support/workflow-arbitrary.js';

const numRuns = lawCases(1_000);

/** A store that keeps what each append of a run held. */
class WatchedStore extends InMemoryRunStore {
  readonly logs = new Map<string, RunEvent[]>();
  appends = 0;

  override append(request: AppendRequest) {
    const { runId } = request;
    this.appends += 1;
    this.logs.set(runId, [...(this.logs.get(runId) ?? []), ...(request.events as readonly RunEvent[])]);
    return super.append(request);
  }
}

/** When a child begins and ends beside other units is a matter of timing. */
const withoutChildren = workflowText.filter((text) => !text.includes('builtin.workflow'));

const HANDLERS: Readonly<Record<string, UnitHandler>> = {
  work: ({ input, state, context }) => ({
    content: `${context.unitId} of ${JSON.stringify(input)}`,
    state: { [`by-${context.unitId}`]: Object.keys(state).length },
  }),
  route: ({ input }) => ({ content: null, metadata: { route: (input as { route: string }).route } }),
  slow: ({ context }) => {
    for (const end = performance.now() + 1.5; performance.now() < end;);
    return context.unitId;
  },
  fail: ({ context }) => {
    throw new Error(`fails in attempt ${context.attempt}`);
  },
  orchestrate: ({ input, state }) => {
    const { rounds, specialists } = input as { rounds: number; specialists: string[] };
    const done = Object.keys(state).filter((key) => specialists.some((one) => key === `by-${one}`)).length;
    return done >= rounds ? { content: 'done' } : { content: 'go', metadata: { delegations: specialists } };
  },
};

/** The whole log of a run of the document whatever it waits for being over soon. */
async function logsOf(
  text: string,
  {
    pure,
    sync,
    input = { n: 1 },
  }: { readonly pure: boolean; readonly sync: boolean; readonly input?: JsonObject },
) {
  const store = new WatchedStore();
  const { engine, clock } = await openEngine({}, { store });
  for (const [uses, handler] of Object.entries(HANDLERS)) engine.registerUnit(uses, handler, { pure });
  const { workflowId } = await engine.workflows.register({ yaml: text });
  const starting = engine.runs.start({ workflowId, input, sync });
  await turn();
  const [runId = ''] = store.logs.keys();
  const status = await lived(engine, { clock, store }, { workflowId, runId });
  await starting;

  await engine.close();
  return { status, logs: named(store), appends: store.appends };
}

/** Decides, resumes and waits until the run is over. */
async function lived(
  engine: Engine,
  { clock, store }: { readonly clock: ManualClock; readonly store: WatchedStore },
  run: { readonly workflowId: string; readonly runId: string },
): Promise<string> {
  // Each is answered when the run stops again, which may take until the clock moves.
  const answers: Promise<unknown>[] = [];
  for (let step = 0; step < 300; step += 1) {
    // A turn that has to wait for its slice waits for some rounds of the event loop.
    for (let loops = 0; loops < 40; loops += 1) await turn();
    const { status } = await engine.runs.get(run);
    const [gate] = await engine.gates.open(run);
    if (status === 'completed' || status === 'failed') {
      await Promise.all(answers);
      return status;
    }
    if (status === 'running') {
      await clock.advance(5_000);
      continue;
    }
    const { appends } = store;
    if (gate === undefined) answers.push(engine.runs.resume(run));
    else
      answers.push(engine.gates.respond({ ...run, gateId: gate.gateId, approved: true, responder: 'ann' }));
    // On a busy machine it may wait its turn for long; a second one would find the run where this one has led it.
    for (let loops = 0; store.appends === appends && loops < 100_000; loops += 1) await turn();
  }
  throw new Error('The run does not come to an end.');
}

const INSTANTS = new Set(['at', 'timestamp', 'retryAt', 'dueAt', 'decidedAt']);

const RUN_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The logs, in the order in which the runs began, without what differs from run to run. */
function named({ logs }: WatchedStore): readonly object[] {
  const names = new Map<string, string>();
  const nameOf = (runId: string) => {
    if (!names.has(runId)) names.set(runId, `run ${names.size}`);
    return names.get(runId)!;
  };
  const text = JSON.stringify([...logs.values()], (key, value: unknown) =>
    INSTANTS.has(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(RUN_ID, nameOf)) as object[];
}

describe('a random run of pure units', () => {
  it('has the log that it has where they are not pure, but for its instants and where an append ends', async () => {
    const appends = { pure: 0, plain: 0 };
    await fc.assert(
      fc.asyncProperty(withoutChildren, fc.boolean(), async (text, sync) => {
        const pure = await logsOf(text, { pure: true, sync });
        const plain = await logsOf(text, { pure: false, sync });
        expect(pure.logs).toEqual(plain.logs);
        expect(pure.status).toEqual(plain.status);
        appends.pure += pure.appends;
        appends.plain += plain.appends;
      }),
      { numRuns },
    );
    expect(appends.pure).toBeLessThan(appends.plain);
  }, 120_000);

  it('has that log also where each turn is cut, in the middle of many that are open', async () => {
    const text = workflowYaml('wide', {
      units: ['p', 'q'].map((id) => ({ id, uses: 'slow' })),
      flow: {
        type: 'foreach',
        items: 'input.items',
        do: { type: 'sequential', order: ['p', 'q'] },
        maxConcurrency: 1_000,
      },
      policy: { concurrency: { maxParallelUnits: 7 } },
    });
    const input = { items: Array.from({ length: 60 }, (_, index) => index) };
    const pure = await logsOf(text, { pure: true, sync: false, input });
    const plain = await logsOf(text, { pure: false, sync: false, input });
    expect(pure.logs).toEqual(plain.logs);
    expect(pure.appends).toBeGreaterThan(3);
  }, 60_000);
});
