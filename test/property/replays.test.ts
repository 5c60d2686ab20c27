import fc from 'fast-check';
import type { RunEvent } from '../../src/engine/core/log/event.js';
import { atOnce } from '../../src/engine/core/steps.js';
import { replaySteps, type ReplayResult } from '../../src/engine/runtime/transfer/replay/replay-log.js';
import { compileText, SimulatedRun } from '../support/simulated-run.js';
import { WanderingRun } from '../support/wandering-run.js';
import { timedWorkflowText as workflowText } from '../support/workflow-arbitrary.js';
import { lawCases } from '../support/law-cases.js';

/** `FLOWGATE_REPLAYS=2000` for more. */
const numRuns = lawCases(400, 'FLOWGATE_REPLAYS');

const dice = fc.infiniteStream(fc.nat(0xffff));

function replayed(run: SimulatedRun, log: readonly RunEvent[] = run.log): ReplayResult {
  const events = JSON.parse(JSON.stringify(log)) as RunEvent[];
  return atOnce(replaySteps({ events, plan: run.plan, source: null }));
}

describe('the replay of a random run', () => {
  it('shows no difference, whatever happened to it', () => {
    fc.assert(
      fc.property(workflowText, dice, fc.nat(80), fc.boolean(), (text, random, steps, isCut) => {
        const roll = () => random.next().value!;
        const budget = () => ({ steps: Infinity, chars: Infinity, events: 1 + (roll() % 4) });
        const { run, ...wandering } = wanderer(text, roll, isCut ? budget : null);
        wandering.wander(steps);
        const { different, differences, compared } = replayed(run);
        expect({ different, differences }).toEqual({ different: 0, differences: [] });
        expect(compared).toBeGreaterThanOrEqual(0);
      }),
      { numRuns },
    );
  }, 120_000);

  it('shows exactly where something else was recorded than the engine does', () => {
    let changes = 0;
    fc.assert(
      fc.property(workflowText, dice, fc.nat(60), fc.nat(), (text, random, steps, which) => {
        const roll = () => random.next().value!;
        const { run, ...wandering } = wanderer(text, roll, null);
        wandering.wander(steps);
        const log = JSON.parse(JSON.stringify(run.log)) as RunEvent[];
        const places = log.flatMap((event) => (changeOf(event) === null ? [] : [event]));
        const place = places[which % Math.max(1, places.length)];
        if (place === undefined) return;
        changes += 1;
        Object.assign(place, changeOf(place));
        const { differences } = replayed(run, log);
        expect(differences[0]?.seq).toBe(place.seq);
        expect(differences[0]?.recorded).toMatchObject({ type: place.type });
      }),
      { numRuns },
    );
    expect(changes).toBeGreaterThan(numRuns / 4);
  }, 120_000);
});

/** A change that an engine would never have made there; null: nothing of such an event is changed. */
function changeOf(event: RunEvent): object | null {
  switch (event.type) {
    case 'unit-scheduled':
      return { timeoutMs: event.timeoutMs + 1 };
    case 'condition-read':
      return { iteration: event.iteration + 1 };
    case 'gate-opened':
      return { title: `${event.title}?` };
    case 'timer-set':
      return { dueAt: event.dueAt + 1_000_000 };
    case 'state-written':
      return { values: { ...event.values, more: 1 } };
    case 'items-opened':
      return { items: [...event.items, 'more'] };
    case 'child-started':
      return { workflowId: 'another' };
    default:
      return null;
  }
}

function wanderer(text: string, roll: () => number, budget: ConstructorParameters<typeof WanderingRun>[2]) {
  const wandering = new WanderingRun(compileText(text), roll, budget);
  return { run: wandering.run, wander: (steps: number) => wandering.wander(steps) };
}
