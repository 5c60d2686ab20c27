import fc from 'fast-check';
import { ANY_RUN, passes, type RunFilter } from '../../src/engine/ports/store/run-filter.js';
import type { OpenGate } from '../../src/engine/ports/store/gates.js';
import type { RunCursor } from '../../src/engine/ports/store/run-index.js';
import type { ListedRun, RunRow } from '../../src/engine/ports/store/run-row.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import {
  sampleAppend,
  sampleRow,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';
import { InMemoryRunStore } from '../../src/engine/in-memory/in-memory-run-store.js';
import { SqliteRunStore } from '../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { lawCases } from '../support/law-cases.js';

const CASES = lawCases(500);
const STATUSES = ['pending', 'running', 'paused', 'completed', 'failed'] as const;
const UNITS = ['sign', 'pay'];
const LABELS = ['x', 'y'];

/** What a run may become at any time. */
const standing = fc.record({
  status: fc.constantFrom(...STATUSES),
  isCancelled: fc.boolean(),
  gates: fc.subarray([
    { gateId: 1, unitId: 'sign', openedAt: 1 },
    { gateId: 2, unitId: 'pay', openedAt: 1 },
    { gateId: 3, unitId: 'sign', openedAt: 2 },
  ]),
});

/** A run is made at one of few instants, and under an id that does not tell when. */
const made = fc.record({
  index: fc.nat(255),
  createdAt: fc.nat(5),
  workflowId: fc.constantFrom('a', 'b'),
  definitionHash: fc.constantFrom('one', 'two'),
  origin: fc.constantFrom('client', 'fork', 'child'),
  forkedFrom: fc.constantFrom(null, 'source'),
  parentRunId: fc.constantFrom(null, 'parent'),
  labels: fc.dictionary(fc.constantFrom('team', 'kind'), fc.constantFrom(...LABELS)),
  standing,
});

const change = fc.oneof(
  made.map((run) => ({ run })),
  fc.record({ which: fc.nat(), standing }),
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 1 });

const filters: fc.Arbitrary<RunFilter> = fc
  .record(
    {
      workflowId: maybe(fc.constantFrom('a', 'b')),
      workflows: maybe(fc.constantFrom(['a'], ['b', 'c'], ['a*', 'b'], ['*'], ['aa', 'c*'], [])),
      statuses: maybe(fc.subarray([...STATUSES], { minLength: 1 })),
      labels: fc.uniqueArray(
        fc.record({ name: fc.constantFrom('team', 'kind'), value: fc.constantFrom(...LABELS) }),
        { maxLength: 2, selector: ({ name }) => name },
      ),
      createdFrom: maybe(fc.nat(5)),
      createdBefore: maybe(fc.nat(6)),
      hasOpenGate: maybe(fc.constant(true as const)),
      gateUnit: maybe(fc.constantFrom(...UNITS)),
      isCancelled: maybe(fc.boolean()),
      origin: maybe(fc.constantFrom('client', 'fork', 'child')),
      forkedFrom: maybe(fc.constant('source')),
      parentRunId: maybe(fc.constant('parent')),
      definitionHash: maybe(fc.constantFrom('one', 'two')),
      idPrefix: maybe(fc.constantFrom(sampleRunId(0).slice(0, 8), sampleRunId(16, 0).slice(0, -3))),
    },
    // Few filters apply at once, so that most cases find something.
    { requiredKeys: [] },
  )
  .map((given) => ({ ...ANY_RUN, ...given }));

const cases = fc.record({
  runs: fc.array(made, { maxLength: 25 }),
  filter: filters,
  limit: fc.integer({ min: 1, max: 5 }),
  /** The changes between one page and the next. */
  meanwhile: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }),
});

/** The runs of one namespace, as they should be. */
class Model {
  readonly runs = new Map<string, ListedRun>();

  constructor(
    private readonly store: RunStore,
    private readonly namespace: string,
  ) {}

  async make({ index, standing: now, labels, ...rest }: Made) {
    const runId = `${this.namespace}-${sampleRunId(index)}`;
    if (this.runs.has(runId)) return;
    const row = rowOf(sampleRow(runId, { ...rest, namespace: this.namespace }), now);
    await this.put(0, { row, labels, openGates: gatesOf(row, now.gates) });
  }

  async change(which: number, now: Standing) {
    const known = [...this.runs.values()][which % this.runs.size];
    if (known === undefined) return;
    const row = rowOf(known.row, now);
    await this.put(known.row.lastSeq, { ...known, row, openGates: gatesOf(row, now.gates) });
  }

  private async put(expectedSeq: number, { row, labels, openGates }: ListedRun) {
    const listed = { row: { ...row, lastSeq: expectedSeq + 1 }, labels, openGates };
    this.runs.set(row.runId, listed);
    const result = await this.store.append(
      sampleAppend(row.runId, { expectedSeq, count: 1, row: listed.row, labels, openGates }),
    );
    expect(result).toBe('appended');
  }
}

type Standing = { status: RunRow['status']; isCancelled: boolean; gates: OpenGate[] };
type Made = {
  index: number;
  createdAt: number;
  workflowId: string;
  definitionHash: string;
  origin: 'client' | 'fork' | 'child';
  forkedFrom: string | null;
  parentRunId: string | null;
  labels: Record<string, string>;
  standing: Standing;
};

function rowOf(row: RunRow, { status, isCancelled }: Standing): RunRow {
  const isOver = status === 'completed' || status === 'failed';
  return {
    ...row,
    status,
    endedAt: isOver ? 9 : null,
    isCancelled: isCancelled && status === 'failed',
    figures: { tokens: 1, cost: 1, activeMs: 1, activeSince: isOver ? null : 1 },
  };
}

function gatesOf({ endedAt }: RunRow, gates: readonly OpenGate[]): readonly OpenGate[] {
  return endedAt === null ? gates : [];
}

function idsThatPass(model: Model, filter: RunFilter): Set<string> {
  return new Set([...model.runs.values()].filter((run) => passes(filter, run)).map(({ row }) => row.runId));
}

describe.each<[string, () => Promise<{ store: RunStore; dispose: () => Promise<void> }>]>([
  ['in memory', async () => ({ store: new InMemoryRunStore(), dispose: async () => {} })],
  [
    'on SQLite',
    async () => {
      const folder = await temporaryFolder();
      return {
        store: new SqliteRunStore({ folder: folder.path, workers: builtWorkers }),
        dispose: () => folder.remove(),
      };
    },
  ],
])('pages of runs %s, while others begin and change', (_where, create) => {
  let store: RunStore;
  let dispose: () => Promise<void>;
  let namespaces = 0;

  beforeAll(async () => {
    ({ store, dispose } = await create());
    await store.open();
    // A fork is not stored without its source.
    await store.append(sampleAppend('source'));
  });
  afterAll(async () => {
    await store.close();
    await dispose();
  });

  it('show what matches throughout exactly once, and each run as it is then', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ runs, filter, limit, meanwhile }) => {
        namespaces += 1;
        const namespace = `n${namespaces}`;
        const model = new Model(store, namespace);
        await Promise.all(runs.map((run) => model.make(run)));
        const throughout = idsThatPass(model, { ...filter, idPrefix: prefixIn(namespace, filter) });
        const asked = { ...filter, idPrefix: prefixIn(namespace, filter) };
        const seen: string[] = [];
        let before: RunCursor | null = null;
        const changes = [...meanwhile];
        do {
          const page: Awaited<ReturnType<RunStore['findRuns']>> = await store.findRuns({
            namespace,
            filter: asked,
            before,
            limit,
          });
          expect(page.runs.length).toBeLessThanOrEqual(limit);
          for (const listed of page.runs) {
            expect(listed).toEqual(model.runs.get(listed.row.runId));
            expect(passes(asked, listed)).toBe(true);
            seen.push(listed.row.runId);
          }
          before = page.next;
          for (const one of changes.shift() ?? []) {
            if ('run' in one) await model.make(one.run);
            else await model.change(one.which, one.standing);
            const now = idsThatPass(model, asked);
            for (const id of throughout) if (!now.has(id)) throughout.delete(id);
          }
        } while (before !== null);
        expect(seen).toEqual([...new Set(seen)]);
        expect([...throughout].filter((id) => !seen.includes(id))).toEqual([]);
      }),
      { numRuns: CASES },
    );
  }, 120_000);
});

/** Ids of a case begin with its namespace. */
function prefixIn(namespace: string, { idPrefix }: RunFilter): string | null {
  return idPrefix === null ? null : `${namespace}-${idPrefix}`;
}
