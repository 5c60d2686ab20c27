import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { InMemoryRunStore, replayRun, type Engine } from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import { openEngine, inSequence } from '../support/engine.js';
import { lawSize } from '../support/law-cases.js';

/** Four requests on average in each run. */
const numRuns = lawSize(250);

const UNITS = 30;
/** A turn of 20 ms has about a dozen of them. */
const UNIT_MS = 1.5;

type Request = 'pause' | 'cancel' | 'resume' | 'approve' | 'rewind';

const request = fc.record({
  /** After how many rounds of the event loop it is sent. */
  after: fc.integer({ min: 0, max: 60 }),
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Request>('pause', 'resume', 'approve', 'rewind') },
    { weight: 1, arbitrary: fc.constant<Request>('cancel') },
  ),
});

const EFFECT: Readonly<Record<Request, readonly string[]>> = {
  pause: ['paused'],
  cancel: ['cancel-requested', 'run-cancelled', 'run-failed'],
  resume: ['resumed'],
  approve: ['gate-decided'],
  rewind: ['rewound'],
};

/** A store that keeps what each append of a run held. */
class WatchedStore extends InMemoryRunStore {
  readonly appends: (readonly RunEvent[])[] = [];

  override append(asked: AppendRequest) {
    this.appends.push(asked.events as readonly RunEvent[]);
    return super.append(asked);
  }
}

function unit() {
  for (const end = performance.now() + UNIT_MS; performance.now() < end;);
  return 1;
}

async function send(engine: Engine, run: { workflowId: string; runId: string }, type: Request) {
  switch (type) {
    case 'pause':
      return engine.runs.pause(run);
    case 'cancel':
      return engine.runs.cancel(run);
    case 'resume':
      return engine.runs.resume(run);
    case 'approve':
      return engine.gates.respond({ ...run, approved: true, responder: 'ann' });
    case 'rewind': {
      const snapshots = await engine.runs.snapshots(run);
      const { snapshotId } = snapshots[Math.floor(snapshots.length / 2)] ?? {};
      return engine.runs.resume(snapshotId === undefined ? run : { ...run, snapshotId });
    }
  }
}

describe('requests at random moments of a run of pure units', () => {
  it('take effect between two turns, soon, and leave a log that replays', async () => {
    let effects = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 7 }), async (requests) => {
        const store = new WatchedStore();
        const { engine, clock } = await openEngine({}, { store });
        engine.registerUnit('unit', unit, { pure: true });
        const units = Array.from({ length: UNITS }, (_, index) => ({ id: `u${index}`, uses: 'unit' }));
        units.splice(UNITS / 2, 0, { id: 'gate', uses: 'builtin.approval' });
        await engine.workflows.register({ yaml: inSequence('w', units) });
        const { runId } = await engine.runs.start({ workflowId: 'w' });
        const run = { workflowId: 'w', runId };
        const answers: Promise<unknown>[] = [];
        for (const { after, type } of requests) {
          for (let rounds = 0; rounds < after; rounds += 1) await turn();
          const before = store.appends.length;
          const answer = send(engine, run, type).then(
            () => true,
            () => false,
          );
          answers.push(answer);
          for (let rounds = 0; rounds < 40; rounds += 1) await turn();
          const followed = store.appends.slice(before);
          const effect = followed.findIndex((events) =>
            events.some((event) => EFFECT[type].includes(event.type)),
          );
          if (effect < 0) continue;
          effects += 1;
          // On its way to the run, one turn may end, and the next one too; what a rewind goes back to is read first.
          if (type !== 'rewind') expect(effect).toBeLessThanOrEqual(3);
          const events = followed[effect]!;
          // Nothing of a turn that was under way is in the append that brings the effect. What a request just before it
          // leads to may be there: a rewind that waited for the same turn to end schedules a unit, which is not executed.
          const at = events.findIndex((event) => EFFECT[type].includes(event.type));
          expect(events.slice(0, at).filter((event) => event.type === 'unit-finished')).toEqual([]);
        }
        await clock.advance(60_000);
        for (let rounds = 0; rounds < 40; rounds += 1) await turn();
        let ndjson = '';
        for await (const line of engine.runs.export(run)) ndjson += line;
        await expect(replayRun({ ndjson: Buffer.from(ndjson) })).resolves.toMatchObject({ different: 0 });
        await engine.close();
        await Promise.all(answers);
      }),
      { numRuns },
    );
    expect(effects).toBeGreaterThan(numRuns / 4);
  }, 300_000);
});
