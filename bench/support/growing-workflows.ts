import type { JsonObject } from '../../dist/engine/index.js';

/** `units`: one after another; `state`: three, of which the first puts so many characters into the state. */
export type GrowingShape = 'units' | 'state' | Width;

/**
 * All open at once, unless it says `few`; how many of them are in flight is what the language gives by itself, unless it
 * says `all`.
 */
export type Width = 'foreach' | 'foreach-all' | 'parallel' | 'dag' | 'dag-few';

interface GrowingWorkflow {
  readonly workflowId: string;
  readonly yaml: string;
  readonly input: JsonObject;
}

const FEW = 16;
/** The most that the language lets through. */
const WIDEST = 10_000;

/** `unit`: what units that answer at once are called. */
export function growingWorkflow(shape: GrowingShape, size: number, unit = 'bench.unit'): GrowingWorkflow {
  const workflowId = `${shape}-${size}`;
  const { units, flow, input, policy = {} } = SHAPES[shape](size, unit);
  const document = {
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: workflowId },
    spec: { units, flow, policy },
  };
  // JSON is YAML, and quicker to read.
  return { workflowId, yaml: JSON.stringify(document), input };
}

interface Shaped {
  readonly units: readonly object[];
  readonly flow: object;
  readonly input: JsonObject;
  readonly policy?: object;
}

const SHAPES: Readonly<Record<GrowingShape, (size: number, unit: string) => Shaped>> = {
  units: (size, unit) => ({ units: named(size, unit), flow: { type: 'sequential' }, input: {} }),
  parallel: (size) => ({
    units: named(size, 'bench.held'),
    flow: { type: 'parallel', units: ids(size) },
    input: {},
  }),
  dag: (size) => dag(size),
  'dag-few': (size) => dag(size, { maxConcurrency: FEW }),
  foreach,
  'foreach-all': (size) => ({ ...foreach(size), policy: { concurrency: { maxParallelUnits: WIDEST } } }),
  state: (size, unit) => ({
    units: [
      { id: 'text', uses: 'bench.text', with: { chars: size } },
      { id: 'b', uses: unit },
      { id: 'c', uses: unit },
    ],
    flow: { type: 'sequential' },
    input: {},
  }),
};

function dag(size: number, more: object = {}): Shaped {
  return {
    units: named(size, 'bench.held'),
    flow: { type: 'dag', executors: ids(size), ...more },
    input: {},
  };
}

function foreach(size: number): Shaped {
  return {
    units: named(1, 'bench.held'),
    flow: { type: 'foreach', items: 'input.items', do: 'u0', maxConcurrency: WIDEST },
    input: { items: Array.from({ length: size }, (_, index) => index) },
  };
}

function ids(size: number): readonly string[] {
  return Array.from({ length: size }, (_, index) => `u${index}`);
}

function named(size: number, uses: string): readonly object[] {
  return ids(size).map((id) => ({ id, uses }));
}
