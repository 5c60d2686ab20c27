import fc from 'fast-check';

/** A flow as the generator draws it; unit ids are handed out when the document is written. */
type FlowSketch =
  | { readonly kind: 'unit'; readonly behaviour: UnitBehaviour }
  | { readonly kind: 'sequential'; readonly flows: readonly FlowSketch[] }
  | {
      readonly kind: 'parallel';
      readonly flows: readonly FlowSketch[];
      readonly strategy: string;
      readonly maxConcurrency: number | null;
      readonly reduced: boolean;
    }
  | { readonly kind: 'router'; readonly flows: readonly FlowSketch[]; readonly route: number }
  | { readonly kind: 'switch'; readonly flows: readonly FlowSketch[]; readonly holds: number }
  | { readonly kind: 'loop'; readonly body: FlowSketch; readonly passes: number }
  | {
      readonly kind: 'foreach';
      readonly body: FlowSketch;
      readonly items: number;
      readonly maxConcurrency: number;
    }
  | {
      readonly kind: 'dag';
      readonly flows: readonly FlowSketch[];
      readonly edges: readonly (readonly number[])[];
    }
  | { readonly kind: 'delegation'; readonly rounds: number; readonly specialists: number }
  | {
      readonly kind: 'race';
      readonly flows: readonly FlowSketch[];
      readonly tells: boolean;
      readonly undoes: boolean;
    }
  | {
      readonly kind: 'try';
      readonly body: FlowSketch;
      readonly caught: FlowSketch | 'ignored' | null;
      readonly rethrows: boolean;
      readonly closing: readonly UnitBehaviour['kind'][];
      /** The time-out of the body, in ms; null: none. */
      readonly ms: number | null;
      readonly undoes: boolean;
    };

export interface UnitBehaviour {
  readonly kind:
    'work' | 'gate' | 'wait' | 'child' | 'set' | 'fail' | 'skip' | 'stop' | 'broken' | 'clock' | 'late';
  readonly pause: 'before' | 'after' | null;
  /** What undoes it, if it is called; absent: nothing does. */
  readonly undone?: 'plainly' | 'also-unknown' | 'never' | 'broken' | null;
}

const unitOf = (isTimed: boolean): fc.Arbitrary<FlowSketch> =>
  fc.record({
    kind: fc.constant('unit' as const),
    behaviour: fc.record({
      kind: fc.oneof(
        { weight: 10, arbitrary: fc.constant('work' as const) },
        { weight: 2, arbitrary: fc.constant('gate' as const) },
        { weight: 2, arbitrary: fc.constant('wait' as const) },
        { weight: 2, arbitrary: fc.constant('child' as const) },
        { weight: 2, arbitrary: fc.constant('set' as const) },
        { weight: 1, arbitrary: fc.constant('fail' as const) },
        { weight: 1, arbitrary: fc.constant('skip' as const) },
        { weight: 1, arbitrary: fc.constantFrom('stop' as const, 'broken' as const) },
        { weight: isTimed ? 3 : 0, arbitrary: fc.constantFrom('clock' as const, 'late' as const) },
      ),
      pause: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constant('before' as const) },
        { weight: 1, arbitrary: fc.constant('after' as const) },
      ),
    }),
  });

/** A call that another unit undoes, mostly. */
const undoableUnit: fc.Arbitrary<FlowSketch> = fc.record({
  kind: fc.constant('unit' as const),
  behaviour: fc.record({
    kind: fc.constant('work' as const),
    pause: fc.constant(null),
    undone: fc.constantFrom('plainly', 'plainly', 'plainly', 'also-unknown', 'never', 'broken'),
  }),
});

/**
 * `isTimed`: what becomes of it depends on who is first: there are races, time-outs that come due, and calls that are undone.
 */
const flowOf = (isTimed: boolean): fc.Arbitrary<FlowSketch> =>
  fc.letrec<{ flow: FlowSketch }>((tie) => {
    const some = fc.array(tie('flow'), { minLength: 1, maxLength: 4 });
    return {
      flow: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        unitOf(isTimed),
        ...(isTimed ? [undoableUnit, undoableUnit] : []),
        fc.record({ kind: fc.constant('sequential' as const), flows: some }),
        fc.record({
          kind: fc.constant('parallel' as const),
          flows: some,
          strategy: fc.constantFrom('fail-fast', 'collect-errors', 'best-effort'),
          maxConcurrency: fc.option(fc.integer({ min: 1, max: 3 })),
          reduced: fc.boolean(),
        }),
        fc.record({ kind: fc.constant('router' as const), flows: some, route: fc.nat(3) }),
        fc.record({ kind: fc.constant('switch' as const), flows: some, holds: fc.nat(4) }),
        fc.record({
          kind: fc.constant('loop' as const),
          body: tie('flow'),
          passes: fc.integer({ min: 1, max: 3 }),
        }),
        fc.record({
          kind: fc.constant('foreach' as const),
          body: tie('flow'),
          items: fc.nat(4),
          maxConcurrency: fc.integer({ min: 1, max: 3 }),
        }),
        fc.record({
          kind: fc.constant('dag' as const),
          flows: some,
          edges: fc.array(fc.array(fc.nat(3), { maxLength: 3 }), { minLength: 4, maxLength: 4 }),
        }),
        ...(isTimed
          ? [
              fc.record({
                kind: fc.constant('race' as const),
                flows: some,
                tells: fc.boolean(),
                undoes: fc.boolean(),
              }),
            ]
          : []),
        fc.record({
          kind: fc.constant('try' as const),
          body: tie('flow'),
          caught: fc.oneof(
            { weight: 3, arbitrary: tie('flow') },
            { weight: 1, arbitrary: fc.constantFrom('ignored' as const, null) },
          ),
          rethrows: fc.boolean(),
          closing: fc.array(fc.constantFrom('work', 'work', 'set', 'fail', 'skip', 'broken'), {
            maxLength: 2,
          }),
          ms: fc.oneof(
            { weight: 3, arbitrary: fc.constant(null) },
            { weight: isTimed ? 1 : 0, arbitrary: fc.integer({ min: 1, max: 90 }) },
          ),
          undoes: isTimed ? fc.boolean() : fc.constant(false),
        }),
        fc.record({
          kind: fc.constant('delegation' as const),
          rounds: fc.nat(2),
          specialists: fc.integer({ min: 1, max: 3 }),
        }),
      ) as fc.Arbitrary<FlowSketch>,
    };
  }).flow;

/** Writes a sketch as a workflow document; the JSON text of it is YAML. */
class DocumentWriter {
  readonly units: Record<string, unknown>[] = [];

  write(sketch: FlowSketch): unknown {
    switch (sketch.kind) {
      case 'unit':
        return this.unit(sketch.behaviour);
      case 'sequential':
        return { type: 'sequential', order: sketch.flows.map((one) => this.write(one)) };
      case 'parallel':
        return {
          type: 'parallel',
          units: sketch.flows.map((one) => this.write(one)),
          failureStrategy: sketch.strategy,
          ...(sketch.maxConcurrency === null ? {} : { maxConcurrency: sketch.maxConcurrency }),
          ...(sketch.reduced ? { reducer: this.work() } : {}),
        };
      case 'router': {
        const routes = Object.fromEntries(sketch.flows.map((one, index) => [`r${index}`, this.write(one)]));
        const routerUnit = this.add({
          uses: 'route',
          with: { route: `r${sketch.route % sketch.flows.length}` },
        });
        return { type: 'router', routerUnit, routes };
      }
      case 'switch':
        return {
          type: 'switch',
          cases: sketch.flows.map((one, index) => ({
            if: `${sketch.holds} == ${index}`,
            do: this.write(one),
          })),
        };
      case 'loop':
        return {
          type: 'loop',
          do: this.write(sketch.body),
          maxIterations: 5,
          until: `iteration + 1 >= ${sketch.passes}`,
        };
      case 'foreach': {
        const items = `[${Array.from({ length: sketch.items }, (_, index) => index).join(', ')}]`;
        const { maxConcurrency } = sketch;
        return {
          type: 'foreach',
          items,
          do: this.write(sketch.body),
          maxConcurrency,
          collect: `list${this.units.length}`,
        };
      }
      case 'dag': {
        const executors = sketch.flows.map((one) =>
          one.kind === 'unit' ? this.unit(one.behaviour) : this.write(one),
        );
        const dependencies: Record<string, string[]> = {};
        executors.forEach((executor, index) => {
          if (typeof executor !== 'string') return;
          const earlier = [...new Set(sketch.edges[index])]
            .filter((other) => other < index)
            .map((other) => executors[other]);
          dependencies[executor] = earlier.filter((other): other is string => typeof other === 'string');
        });
        return { type: 'dag', executors, dependencies };
      }
      case 'race':
        return {
          type: 'race',
          units: sketch.flows.map((one) => this.write(one)),
          ...(sketch.tells ? { winner: `won${this.units.length}` } : {}),
          ...(sketch.undoes ? { compensate: true } : {}),
        };
      case 'try': {
        const { body, caught, rethrows, closing, ms, undoes } = sketch;
        const written = { type: 'try', do: this.write(body) };
        const handler = caught === null || caught === 'ignored' ? null : this.write(caught);
        const closers = closing.map((kind) => this.unit({ kind, pause: null }));
        return {
          ...written,
          ...(caught === 'ignored' ? { ignore: true } : {}),
          ...(handler === null ? {} : { catch: handler, rethrow: rethrows }),
          ...(closers.length === 0 ? {} : { finally: { type: 'sequential', order: closers } }),
          ...(undoes ? { compensate: true } : {}),
          ...(ms === null && caught === null && closers.length === 0 && !undoes ? { timeout: 'P1D' } : {}),
          ...(ms === null ? {} : { timeout: `PT0.${String(ms).padStart(3, '0')}S` }),
        };
      }
      case 'delegation': {
        const specialists = Array.from({ length: sketch.specialists }, () => this.work());
        return {
          type: 'delegation',
          orchestrator: this.add({ uses: 'orchestrate', with: { rounds: sketch.rounds, specialists } }),
          specialists,
        };
      }
    }
  }

  unit({ kind, pause, undone = null }: UnitBehaviour): string {
    const extra = {
      ...(pause === null ? {} : { pause }),
      ...(undone === null ? {} : { compensate: this.compensation(undone) }),
    };
    switch (kind) {
      case 'work':
        return this.work(extra);
      case 'gate':
        return this.add({ uses: 'builtin.approval', ...extra });
      case 'wait':
        return this.add({ uses: 'builtin.wait', config: this.length(), ...extra });
      case 'child':
        return this.add({ uses: 'builtin.workflow', config: { workflowId: 'inner' }, ...extra });
      case 'set':
        return this.add({
          uses: 'builtin.set',
          config: { values: { [`key${this.units.length}`]: this.units.length } },
          ...extra,
        });
      case 'fail':
        return this.add({ uses: 'fail', ...extra });
      case 'skip':
        return this.add({ uses: 'work', if: 'false', ...extra });
      case 'stop':
        return this.add({ uses: 'builtin.fail', config: { message: 'no' }, ...extra });
      case 'clock':
        return this.add({
          uses: 'builtin.set',
          config: { values: { [`key${this.units.length}`]: '${{ [now, now - timestamp(run.createdAt)] }}' } },
          ...extra,
        });
      case 'late':
        return this.add({ uses: 'work', if: 'now > timestamp(1030)', with: { now: '${{ now }}' }, ...extra });
      case 'broken':
        return this.add({ uses: 'work', if: 'state.nobody', ...extra });
    }
  }

  private compensation(undone: NonNullable<UnitBehaviour['undone']>): object {
    const unit = this.add({ uses: undone === 'never' ? 'fail' : 'work' });
    return {
      unit,
      ...(undone === 'also-unknown' ? { onUnknown: true, with: { known: '${{ done.known }}' } } : {}),
      ...(undone === 'broken' ? { with: '${{ done.output.nobody.has.this }}' } : {}),
    };
  }

  /** Some are over when they begin, and several end in one instant. */
  private length(): object {
    const count = this.units.length % 4;
    return count === 3 ? { until: 1_500 } : { durationMs: count * 25 };
  }

  private work(extra: Record<string, unknown> = {}): string {
    if (this.units.length % 3 === 2)
      return this.add({ uses: 'work', with: { seen: '${{ vars.b }}' }, ...extra });
    return this.add({ uses: 'work', ...extra });
  }

  private add(unit: Record<string, unknown>): string {
    const id = `u${this.units.length}`;
    this.units.push({ id, ...unit });
    return id;
  }
}

/** What may be run when a run is cancelled; mostly nothing is. */
const cleanUp: fc.Arbitrary<readonly UnitBehaviour['kind'][]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom('work', 'work', 'set', 'fail', 'skip', 'broken'), {
      minLength: 1,
      maxLength: 3,
    }),
  },
);

type Ends = readonly ('failure' | 'cancel')[] | null;

function textOf([sketch, undoing, ends]: readonly [
  FlowSketch,
  readonly UnitBehaviour['kind'][],
  Ends,
]): string {
  const writer = new DocumentWriter();
  const written = writer.write(sketch);
  const onCancel = undoing.map((kind) => writer.unit({ kind, pause: null }));
  return JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: 'random' },
    spec: {
      // In every third document, or so, some unit reads them.
      ...(writer.units.length > 2
        ? { vars: { a: '${{ size(input) }}', b: ['${{ vars.a }}', '${{ run.workflowId }}'] } }
        : {}),
      policy: { retry: { maxAttempts: 2, jitter: false } },
      units: writer.units.length === 0 ? [{ id: 'idle', uses: 'work' }] : writer.units,
      flow: written,
      ...(ends === null ? {} : { compensateOn: ends }),
      ...(onCancel.length === 0 ? {} : { onCancel }),
    },
  });
}

/** When what was done is undone with the run: by default both where it fails and where it is cancelled. */
const undoingEnds: fc.Arbitrary<Ends> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom<Ends>(['failure'], ['cancel']) },
);

/** The JSON (and so YAML) text of a random workflow of nested flows. What becomes of it does not depend on the clock. */
export const workflowText: fc.Arbitrary<string> = fc
  .tuple(flowOf(false), cleanUp, fc.constant(null))
  .map(textOf);

/** The same with races, with time-outs that come due, and with calls that are undone. */
export const timedWorkflowText: fc.Arbitrary<string> = fc
  .tuple(flowOf(true), cleanUp, undoingEnds)
  .map(textOf);
