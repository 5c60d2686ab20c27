import fc from 'fast-check';

/**
 * When a unit completes: at once; after a moment; after the grace of a pause; at the second attempt; never, until mended.
 */
export type Behaviour = 'now' | 'later' | 'slow' | 'shaky' | 'broken';

export interface UnitSketch {
  readonly kind: 'unit';
  readonly behaviour: Behaviour;
  readonly pause: 'before' | 'after' | null;
}

type PlainSketch =
  UnitSketch | { readonly kind: 'gate' } | { readonly kind: 'wait' } | { readonly kind: 'child' };

export type NodeSketch =
  | PlainSketch
  | { readonly kind: 'parallel'; readonly strategy: string; readonly nodes: readonly PlainSketch[] }
  | { readonly kind: 'foreach'; readonly node: PlainSketch }
  | { readonly kind: 'loop'; readonly node: PlainSketch };

/** One workflow; its children are runs of the one below, and those of the last are units. */
export interface LevelSketch {
  readonly nodes: readonly NodeSketch[];
  /** Whether a cancel calls a unit. */
  readonly cleansUp: boolean;
}

export interface FamilySketch {
  readonly levels: readonly LevelSketch[];
  /** The budget of the root alone: a child then has none of its own that only its own address could raise. */
  readonly budget: { readonly maxTokens: number; readonly onExceed: 'fail' | 'pause' } | null;
}

/** One request of a person, or one thing that befalls the process. `who`, `which`: an index, modulo what there is then. */
export type Deed =
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'pause'; readonly who: number }
  | { readonly do: 'resume'; readonly who: number; readonly key: number | null; readonly twice: boolean }
  | { readonly do: 'cancel'; readonly who: number }
  | {
      readonly do: 'decide';
      readonly which: number;
      readonly isApproved: boolean;
      readonly by: 'own' | 'root';
    }
  | { readonly do: 'rewind'; readonly who: number; readonly which: number }
  | { readonly do: 'fork'; readonly who: number; readonly which: number }
  | { readonly do: 'kill'; readonly appends: number; readonly isStored: boolean }
  | { readonly do: 'mend' }
  /** A pause, or a resume, and a check of what it reached. */
  | { readonly do: 'stand-still'; readonly who: number }
  | { readonly do: 'go-on'; readonly who: number };

const unit: fc.Arbitrary<UnitSketch> = fc.record({
  kind: fc.constant('unit' as const),
  behaviour: fc.oneof(
    { weight: 5, arbitrary: fc.constant('now' as const) },
    { weight: 4, arbitrary: fc.constantFrom('later' as const, 'slow' as const) },
    { weight: 2, arbitrary: fc.constantFrom('shaky' as const, 'broken' as const) },
  ),
  pause: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom('before' as const, 'after' as const) },
  ),
});

function plain(isLeaf: boolean): fc.Arbitrary<PlainSketch> {
  return fc.oneof(
    { weight: 4, arbitrary: unit },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('gate' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
    { weight: isLeaf ? 0 : 9, arbitrary: fc.record({ kind: fc.constant('child' as const) }) },
  );
}

function node(isLeaf: boolean): fc.Arbitrary<NodeSketch> {
  const one = plain(isLeaf);
  return fc.oneof(
    { weight: 5, arbitrary: one },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('parallel' as const),
        strategy: fc.constantFrom('fail-fast', 'best-effort', 'collect-errors'),
        nodes: fc.array(one, { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('foreach' as const), node: one }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('loop' as const), node: one }) },
  );
}

function level(isLeaf: boolean, most: number): fc.Arbitrary<LevelSketch> {
  const nodes = fc.array(node(isLeaf), { minLength: 1, maxLength: most, size: 'max' });
  return fc.record({ nodes, cleansUp: fc.nat(5).map((side) => side === 5) });
}

export const family: fc.Arbitrary<FamilySketch> = fc.record({
  levels: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(level(false, 3), level(true, 3)) },
    { weight: 3, arbitrary: fc.tuple(level(false, 2), level(false, 2), level(true, 2)) },
    { weight: 1, arbitrary: fc.tuple(level(true, 3)) },
  ),
  budget: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        maxTokens: fc.integer({ min: 1, max: 6 }).map((calls) => calls * 100),
        onExceed: fc.constantFrom('fail' as const, 'pause' as const),
      }),
    },
  ),
});

/** Whom a request is for: mostly the root. */
const who = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(30) });
const ms = fc.constantFrom(0, 1, 12, 26, 60, 700, 2_100, 5_001, 9_000);

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const), ms }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pause' as const), who }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('resume' as const),
      who,
      key: fc.option(fc.nat(1)),
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      which: fc.nat(5),
      isApproved: fc.nat(3).map((side) => side < 3),
      by: fc.constantFrom('own' as const, 'root' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewind' as const), who, which: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), who, which: fc.nat(8) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      appends: fc.nat(5),
      isStored: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mend' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stand-still' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('go-on' as const), who }) },
);

export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(deed, {
  minLength: 1,
  maxLength: 14,
  size: 'max',
});

const WORKFLOWS = ['root', 'middle', 'leaf'] as const;

/** The documents of a family, the root's first. */
export function documentsOf({ levels, budget }: FamilySketch): readonly string[] {
  return levels.map((sketch, depth) => {
    const writer = new LevelWriter(WORKFLOWS[depth + 1] ?? null);
    const order = sketch.nodes.map((one) => writer.write(one));
    const { units } = writer;
    const onCancel = sketch.cleansUp ? ['undo'] : undefined;
    if (sketch.cleansUp) units.push({ id: 'undo', uses: 'work', with: { behaviour: 'now' } });
    const retry = { maxAttempts: 3, backoff: 'fixed', baseMs: 2_000, jitter: false };
    const policy = { retry, ...(depth === 0 && budget !== null ? { budget } : {}) };
    return JSON.stringify({
      apiVersion: 'flowgate/v1',
      kind: 'Workflow',
      metadata: { id: WORKFLOWS[depth] },
      spec: { units, flow: { type: 'sequential', order }, policy, ...(onCancel && { onCancel }) },
    });
  });
}

class LevelWriter {
  readonly units: object[] = [];
  constructor(private readonly below: string | null) {}

  write(sketch: NodeSketch): unknown {
    switch (sketch.kind) {
      case 'parallel': {
        const units = sketch.nodes.map((one) => this.write(one));
        return { type: 'parallel', units, failureStrategy: sketch.strategy };
      }
      case 'foreach':
        return { type: 'foreach', items: '[0, 1]', do: this.write(sketch.node), maxConcurrency: 2 };
      case 'loop':
        return {
          type: 'loop',
          do: this.write(sketch.node),
          maxIterations: 2,
          until: 'iteration + 1 >= 2',
        };
      case 'unit':
        return this.unit(sketch);
      case 'gate':
        return this.add('gate', { uses: 'builtin.approval' });
      case 'wait':
        return this.add('wait', { uses: 'builtin.wait', config: { durationMs: 3_000 } });
      case 'child':
        return this.below === null
          ? this.unit({ kind: 'unit', behaviour: 'now', pause: null })
          : this.add('child', { uses: 'builtin.workflow', config: { workflowId: this.below }, with: {} });
    }
  }

  private unit({ behaviour, pause }: UnitSketch): string {
    return this.add(behaviour, { uses: 'work', with: { behaviour }, ...(pause === null ? {} : { pause }) });
  }

  private add(name: string, what: object): string {
    const id = `${name}${this.units.length}`;
    this.units.push({ id, ...what });
    return id;
  }
}
