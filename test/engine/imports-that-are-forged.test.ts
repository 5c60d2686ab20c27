import { builtDocumentWorker } from '../support/built-document-worker.js';
import { inSequence, openEngine, type TestEngine } from '../support/engine.js';
import { exportOf, linesOf, withSum } from '../support/exports.js';
import { eventsAt, renumbered, type ForgedEvent } from '../support/forgeries/edited-log.js';

const YAML = inSequence('gated', [
  { id: 'a', uses: 'work' },
  { id: 'g', uses: 'builtin.approval' },
  { id: 'c', uses: 'behind' },
  { id: 'd', uses: 'behind' },
]);
const ADDRESS = { workflowId: 'gated' };

let there: TestEngine;
let calls: string[];
/** Header, and the events: started, `a` scheduled and finished, the gate opened and decided, `c` and `d`, completed. */
let header: object;
let honest: ForgedEvent[];
let runId: string;

const units = () => ({
  work: () => 'done',
  behind: (_request: unknown, { unitId }: { readonly unitId: string }) => {
    calls.push(unitId);
    return 'done';
  },
});

beforeAll(async () => {
  calls = [];
  const here = await openEngine(units());
  await here.engine.workflows.register({ yaml: YAML });
  const run = await here.engine.runs.start({ ...ADDRESS, input: { n: 1 }, sync: true });
  ({ runId } = run);
  await here.engine.gates.respond({ ...run, approved: true, responder: 'ann' });
  const [first, ...events] = linesOf(await exportOf(here.engine, run));
  header = first!;
  honest = events as unknown as ForgedEvent[];
  await here.engine.close();
});

beforeEach(async () => {
  calls = [];
  there = await openEngine(units());
  // The clock is later than any forged instant.
  await there.clock.advance(3_600_000);
  await there.engine.workflows.register({ yaml: YAML });
});
afterEach(() => there.engine.close());

const importing = (events: readonly ForgedEvent[]) =>
  there.engine.runs.import({ ndjson: Buffer.from(withSum([header, ...renumbered(events)])) });

const indexOf = (type: string) => honest.findIndex((event) => event.type === type);
const atGate = { path: '/spec/flow/order/1', scope: '', unitId: 'g' };
const atNext = { path: '/spec/flow/order/2', scope: '', unitId: 'c' };
/** The log up to the gate, without it: three events. */
const before = () => honest.slice(0, 3);

/** An event at a location, as the fourth and fifth event may be. */
function made(type: string, location: typeof atGate, id = 4, more: object = {}): ForgedEvent {
  const found = eventsAt(location, id).find((event) => event.type === type);
  return { ...found!, ...more };
}
const made2At = (id: number) => [made('gate-opened', atGate), made('gate-decided', atGate, id)];
const made2 = (opening: string, closing: string) => [made(opening, atGate), made(closing, atGate)];

/** Each gives a log that is past the gate without a decision, or would be if it were believed. */
const FORGERIES: readonly (readonly [string, () => readonly ForgedEvent[]])[] = [
  ['a gate that was skipped', () => [...before(), made('unit-skipped', atGate)]],
  ['a state that was written in place of the gate', () => [...before(), made('state-written', atGate)]],
  ['a timer in place of the gate', () => [...before(), ...made2('timer-set', 'timer-fired')]],
  ['a child run in place of the gate', () => [...before(), ...made2('child-started', 'child-ended')]],
  ['a unit in place of the gate', () => [...before(), ...made2('unit-scheduled', 'unit-finished')]],
  ['a unit that failed in place of the gate', () => [...before(), ...made2('unit-scheduled', 'unit-failed')]],
  [
    'a pause after the gate that was lifted',
    () => [...before(), made('paused', atGate, 4, { reason: 'after' }), made('resumed', atGate)],
  ],
  ['a pause after the gate', () => [...before(), made('paused', atGate, 4, { reason: 'after' })]],
  [
    'a pause before the unit after the gate',
    () => [...before(), made('paused', atNext, 4, { reason: 'before' })],
  ],
  ['a gate that opens at the unit after it', () => [...before(), made('gate-opened', atNext)]],
  ['a timer at the unit after the gate', () => [...before(), made('timer-set', atNext)]],
  [
    'the unit after the gate finished',
    () => [...before(), ...honest.slice(indexOf('gate-decided') + 1, indexOf('gate-decided') + 3)],
  ],
  ['a log without its gate', () => honest.filter(({ type }) => !type.startsWith('gate-'))],
  [
    'a branch that was chosen at the gate',
    () => [...before(), made('branch-chosen', atGate), made('state-written', atNext)],
  ],
  [
    'a loop that ended at the gate',
    () => [...before(), made('condition-read', atGate), made('paused', atNext)],
  ],
  ['a join at the gate', () => [...before(), made('node-closed', atGate), made('gate-opened', atNext)]],
  [
    'a decision at a gate that is not open',
    () =>
      honest
        .filter(({ type }) => type !== 'gate-opened')
        .map((one) => (one.type === 'gate-decided' ? { ...one, gateId: 2 } : one)),
  ],
  [
    'going back to where no checkpoint is',
    () => [...before(), made('rewound', atGate, 2), made('state-written', atNext)],
  ],
  ['a pause that was lifted and never opened', () => [...before(), made('resumed', atGate, 3)]],
  [
    'a failed run that is retried after the gate',
    () => [
      ...before(),
      made('run-failed', atGate),
      { ...made('resumed', atGate), pauseId: null },
      made('unit-scheduled', atNext),
    ],
  ],
  ['a run that was completed at its gate', () => [...before(), made('run-completed', atGate)]],
];

describe('an export that bypasses a gate, with a new checksum', () => {
  it.each(FORGERIES)('is refused with the event that does not follow: %s', async (_name, forged) => {
    await expect(importing(forged())).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(
        /^Event [45] of the export \(.*\) .*: import it with the version of Flowgate that wrote it, or export the run again$/,
      ),
    });
  });

  it('says where it is and what the engine would do there', async () => {
    await expect(importing([...before(), made('unit-skipped', atGate)])).rejects.toThrow(
      'Event 4 of the export (unit-skipped at /spec/flow/order/1) does not follow from those before it: the engine does gate-opened there: import it with',
    );
  });

  it.each(['hitl.approved', 'hitl.responder', 'output.g', 'errors.a'])(
    'is refused with an outcome that writes %s, which no unit may',
    async (key) => {
      const events = honest.map((one) =>
        one.type === 'unit-finished' ? { ...one, patch: { [key]: true } } : one,
      );
      await expect(importing(events)).rejects.toThrow(
        `keys that begin with output., errors. or hitl. are reserved`,
      );
    },
  );

  it.each<readonly [string, () => ForgedEvent[], ForgedEvent]>([
    [
      'goes back over thousands of decisions',
      () => Array.from({ length: 5_000 }, (_, n) => [...made2At(4 + 2 * n)]).flat(),
      made('rewound', atGate, 3),
    ],
    [
      'continues thousands of children',
      () =>
        Array.from({ length: 5_000 }, (_, n) => made('child-started', atGate, 0, { childRunId: `c${n}` })),
      { type: 'family-resumed', seenSeq: 0, by: { id: 'eve', owner: null, via: 'http', auth: 'none' } },
    ],
  ])('is refused before it delays anybody: one that %s', async (_name, many, one) => {
    const events = [...before(), ...many(), ...Array.from({ length: 300 }, () => one)];
    await expect(importing(events)).rejects.toThrow('The export takes too long to read');
  });

  it('is accepted where it is honest, and a decision in it counts for no fork', async () => {
    await importing(honest);
    const snapshots = await there.engine.runs.snapshots({ ...ADDRESS, runId });
    const forks = await Promise.allSettled(
      snapshots.map(({ snapshotId }) =>
        there.engine.runs.fork({ ...ADDRESS, runId, from: { snapshotId }, sync: true }),
      ),
    );
    const outcomes = forks.map((one) => (one.status === 'rejected' ? one.reason.code : one.value.status));
    expect(outcomes).toEqual(['paused', 'paused', 'decided-gate', 'decided-gate', 'decided-gate']);
    expect(calls).toEqual([]);
  });
});

describe('an export that is checked in a thread, as the service does', () => {
  let inThread: TestEngine;
  beforeEach(async () => {
    inThread = await openEngine(units(), { documentWorker: builtDocumentWorker });
    await inThread.clock.advance(3_600_000);
  });
  afterEach(() => inThread.engine.close());

  it('is refused with the same sentence, and accepted where it is honest, as its forks are', async () => {
    const send = (events: readonly ForgedEvent[]) =>
      inThread.engine.runs.import({ ndjson: Buffer.from(withSum([header, ...renumbered(events)])) });
    await expect(send([...before(), made('unit-skipped', atGate)])).rejects.toThrow(
      'Event 4 of the export (unit-skipped at /spec/flow/order/1) does not follow from those before it',
    );
    await expect(send(honest)).resolves.toMatchObject({ status: 'completed' });
    await inThread.engine.workflows.register({ yaml: YAML });
    const fork = await inThread.engine.runs.fork({ ...ADDRESS, runId, from: { unitId: 'g' }, sync: true });
    await there.engine.runs.import({
      ndjson: Buffer.from(await exportOf(inThread.engine, { ...ADDRESS, runId })),
    });
    const ofFork = await exportOf(inThread.engine, fork);
    await expect(there.engine.runs.import({ ndjson: Buffer.from(ofFork) })).resolves.toMatchObject({
      runId: fork.runId,
    });
    const third = await openEngine(units(), { documentWorker: builtDocumentWorker });
    await third.clock.advance(3_600_000);
    await third.engine.runs.import({ ndjson: Buffer.from(withSum([header, ...renumbered(honest)])) });
    await expect(third.engine.runs.import({ ndjson: Buffer.from(ofFork) })).resolves.toMatchObject({
      runId: fork.runId,
    });
    await third.engine.close();
  });
});

describe('the values of an export', () => {
  const zeros = (count: number) => Array<number>(count).fill(0);
  const answering = (count: number) =>
    honest.map((one) => (one.type === 'unit-finished' ? { ...one, output: zeros(count) } : one));

  it('are bounded over all of its events', async () => {
    await expect(importing(answering(170_000))).rejects.toThrow(
      /^Event 9 of the export is one too many: its events hold more than 500000 values or 250000 keys together/,
    );
    await expect(importing(answering(160_000))).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('the instants of an export', () => {
  const shiftedBy = (ms: number) => honest.map((one) => ({ ...one, at: there.clock.now() + ms }));

  it('may be ahead by as much as clocks differ', async () => {
    await expect(importing(shiftedBy(299_000))).resolves.toMatchObject({ status: 'completed' });
  });

  it('are no further ahead', async () => {
    await expect(importing(shiftedBy(301_000))).rejects.toThrow(
      /^Event 1 of the export is of .*Z, more than 5 minutes ahead: set the clocks of both services$/,
    );
  });
});
