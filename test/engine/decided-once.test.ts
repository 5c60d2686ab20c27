import type { PublicEvent, RunRecord } from '../../src/engine/index.js';
import { LOOPS_FOR_OTHERS } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { openEngine, workflowYaml, type TestEngine } from '../support/engine.js';
import { lawCases } from '../support/law-cases.js';

/** How often each two things meet; `FLOWGATE_RACES` says another number. */
const RACES = lawCases(1_000, 'FLOWGATE_RACES');

const once = { retry: { maxAttempts: 1 } };
const HALF_A_MINUTE = 30_000;

/** Random numbers that the same seed gives again (mulberry32). */
function seeded(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

let there: TestEngine;
/** By unit, the calls that wait for their end. */
let open: Map<string, { readonly end: () => void; readonly fail: () => void }>;
/** What undid something, by its key. */
let undone: string[];

const held = (unitId: string) =>
  new Promise((resolve, reject) =>
    open.set(unitId, { end: () => resolve(unitId), fail: () => reject(new Error('no')) }),
  );

beforeEach(async () => {
  open = new Map();
  undone = [];
  there = await openEngine({
    hold: (_request, context) => held(context.unitId),
    quick: () => 'done',
    undo: (_request, { idempotencyKey }) => {
      undone.push(idempotencyKey);
      return 'undone';
    },
  });
});
afterEach(() => there.engine.close());

const hold = (id: string, more: object = {}) => ({ id, uses: 'hold', policyOverrides: once, ...more });
const quick = (id: string, more: object = {}) => ({ id, uses: 'quick', ...more });
const order = (...flows: readonly unknown[]) => ({ type: 'sequential', order: flows });

const loop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  for (let loops = 0; loops < 2_000; loops++) {
    if (condition()) return;
    await loop();
  }
  throw new Error('It did not come to that.');
}

interface Ended {
  readonly record: RunRecord;
  readonly log: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly events: readonly PublicEvent[];
}

async function ended(address: { readonly workflowId: string; readonly runId: string }): Promise<Ended> {
  const { runs } = there.engine;
  for (let loops = 0; ; loops++) {
    const { status } = await runs.get(address);
    if (status === 'completed' || status === 'failed') break;
    if (loops > 2_000) throw new Error(`The run is ${status}, and does not come to its end.`);
    await loop();
  }
  const { items: events } = await runs.events({ ...address, limit: 1_000 });
  const { items: log } = await runs.events({ ...address, limit: 1_000, view: 'log' });
  return { record: await runs.get(address), log: log as unknown as Ended['log'], events };
}

/** Both happen, in either order, in one turn of the event loop or up to `apart` of them one after the other. */
async function meet(
  roll: (sides: number) => number,
  apart: number,
  ...contenders: readonly (() => unknown)[]
): Promise<void> {
  const first = roll(contenders.length);
  const inOrder = [...contenders.slice(first), ...contenders.slice(0, first)];
  await Promise.all(
    inOrder.map(async (happens) => {
      for (let loops = roll(apart); loops > 0; loops--) await loop();
      await happens();
    }),
  );
}

/** The time of something is up after half a minute, and the other thing happens about then. */
async function meetAtTheTime(roll: (sides: number) => number, happens: () => unknown): Promise<void> {
  const { clock } = there;
  let isOver = false;
  const other = new Promise<void>((resolve, reject) => {
    clock.schedule(clock.now() + HALF_A_MINUTE - 1, () => {
      const after = async (): Promise<void> => {
        for (let loops = roll(LOOPS_OF_THE_CLOCK); loops > 0; loops--) await loop();
        await happens();
      };
      after().then(resolve, reject);
    });
  });
  void other.then(() => (isOver = true));
  await clock.advance(HALF_A_MINUTE);
  await until(() => isOver);
}

/** A clock lets so many turns of the event loop pass between two instants, and about as many after the last one. */
const LOOPS_OF_THE_CLOCK = 2 * (LOOPS_FOR_OTHERS + 16);

/** The one end that record, log and events tell of. */
function endOf({ record, log, events }: Ended): string {
  const ofLog = log.filter(({ type }) => /^run-(completed|failed|cancelled)$/.test(type));
  const ofEvents = events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type));
  expect([ofLog.length, ofEvents.length]).toEqual([1, 1]);
  expect(log.at(-1)).toBe(ofLog[0]);
  const [end] = ofLog.map(({ type }) => type.slice('run-'.length));
  expect(ofEvents[0]!.type).toBe(`run.${end}`);
  expect(record.status).toBe(end === 'completed' ? 'completed' : 'failed');
  if (end === 'cancelled') expect(record.error).toContain('Cancelled by');
  return end!;
}

const count = ({ log }: Ended, type: string, unitId?: string): number =>
  log.filter((event) => event.type === type && (unitId === undefined || event.data['unitId'] === unitId))
    .length;

/** Shows so many meetings, and that both of the outcomes come about. */
async function expectBoth(race: (roll: (sides: number) => number) => Promise<string>): Promise<void> {
  const outcomes = new Map<string, number>();
  for (let seed = 1; seed <= RACES; seed++) {
    const outcome = await race(seeded(seed));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect(outcomes.size).toBe(2);
}

async function start(workflowId: string, unitId: string | null) {
  open.clear();
  undone = [];
  const { runId } = await there.engine.runs.start({ workflowId });
  if (unitId !== null) await until(() => open.has(unitId));
  return { workflowId, runId };
}

describe('two things that meet have one outcome, the same in log, record and events', () => {
  it('the end of a unit, and the time-out of the try around it', async () => {
    const spec = {
      units: [quick('book', { compensate: 'undo' }), hold('a'), { id: 'undo', uses: 'undo' }, quick('tell')],
      flow: { type: 'try', do: order('book', 'a'), timeout: 'PT30S', compensate: true, catch: 'tell' },
    };
    await there.engine.workflows.register({ yaml: workflowYaml('timed', spec) });
    await expectBoth(async (roll) => {
      const address = await start('timed', 'a');
      await meetAtTheTime(roll, () => open.get('a')!.end());
      const end = await ended(address);
      expect(endOf(end)).toBe('completed');
      const isLate = count(end, 'deadline-passed') === 1;
      expect(count(end, 'unit-finished', 'a')).toBe(isLate ? 0 : 1);
      expect([count(end, 'unit-finished', 'tell'), undone.length]).toEqual(isLate ? [1, 1] : [0, 0]);
      expect('output.tell' in end.record.result!.state).toBe(isLate);
      return isLate ? 'late' : 'in time';
    });
  }, 240_000);

  it('the decision at a gate, and its time-out', async () => {
    const spec = {
      units: [
        { id: 'ask', uses: 'builtin.approval', config: { timeout: 'PT30S', onReject: 'continue' } },
        quick('next'),
      ],
      flow: order('ask', 'next'),
    };
    await there.engine.workflows.register({ yaml: workflowYaml('asks', spec) });
    await expectBoth(async (roll) => {
      const { runs, gates } = there.engine;
      const address = await start('asks', null);
      for (
        let { status } = await runs.get(address);
        status !== 'paused';
        { status } = await runs.get(address)
      )
        await loop();
      const decide = () =>
        gates.respond({ ...address, approved: true, responder: 'ann' }).catch((error: unknown) => error);
      await meetAtTheTime(roll, decide);
      const end = await ended(address);
      expect(endOf(end)).toBe('completed');
      expect(count(end, 'gate-decided')).toBe(1);
      const { timedOut, approved } = end.record.result!.state['output.ask'] as Record<string, unknown>;
      const decided = end.log.find(({ type }) => type === 'gate-decided')!.data;
      expect(approved).toBe(decided['approved']);
      expect(timedOut === true).toBe(decided['approved'] === false);
      return timedOut === true ? 'late' : 'in time';
    });
  }, 240_000);

  it('two ends of a race, of which the other is undone', async () => {
    const spec = {
      units: [
        hold('a', { compensate: 'undo' }),
        hold('b', { compensate: 'undo' }),
        { id: 'undo', uses: 'undo' },
      ],
      flow: { type: 'race', units: ['a', 'b'], winner: 'how', compensate: true },
    };
    await there.engine.workflows.register({ yaml: workflowYaml('raced', spec) });
    await expectBoth(async (roll) => {
      const address = await start('raced', 'b');
      await meet(
        roll,
        4,
        () => open.get('a')!.end(),
        () => open.get('b')!.end(),
      );
      const end = await ended(address);
      expect(endOf(end)).toBe('completed');
      const { state } = end.record.result!;
      const { unitId } = state['how'] as { readonly unitId: string };
      const other = unitId === 'a' ? 'b' : 'a';
      expect([`output.${unitId}` in state, `output.${other}` in state]).toEqual([true, false]);
      // Where both ends were stored, the other one is undone; where it came too late, it is no completion.
      expect(undone).toHaveLength(count(end, 'unit-finished', other));
      expect(count(end, 'node-closed')).toBe(1);
      return unitId;
    });
  }, 240_000);

  it('a cancel, and the failure of the run', async () => {
    const spec = {
      units: [quick('book', { compensate: 'undo' }), hold('a'), { id: 'undo', uses: 'undo' }],
      flow: order('book', 'a'),
    };
    await there.engine.workflows.register({ yaml: workflowYaml('saga', spec) });
    await expectBoth(async (roll) => {
      const address = await start('saga', 'a');
      await meet(
        roll,
        4,
        () => there.engine.runs.cancel(address),
        () => open.get('a')!.fail(),
      );
      const { runs } = there.engine;
      const end = await ended(address);
      expect(new Set(undone).size).toBe(1);
      expect(undone).toHaveLength(1);
      expect(count(end, 'compensation-finished')).toBe(1);
      const failed = count(end, 'run-failed');
      expect(count(end, 'run-cancelled')).toBe(1);
      expect((await runs.get(address)).status).toBe('failed');
      return failed === 1 ? 'failed, then cancelled' : 'cancelled';
    });
  }, 240_000);
});
