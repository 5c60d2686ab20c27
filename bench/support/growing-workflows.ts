import type { JsonObject } from '../../dist/engine/index.js';

/** `units`: one after another; `state`: three, of which the first puts so many characters into the state. */
export type GrowingShape = 'units' | 'foreach' | 'parallel' | 'dag' | 'state';

interface GrowingWorkflow {
  readonly workflowId: string;
  readonly yaml: string;
  readonly input: JsonObject;
}

const WIDEST = 10_000;

/** `unit`: what units that answer at once are called. */
export function growingWorkflow(shape: GrowingShape, size: number, unit = 'bench.unit'): GrowingWorkflow {
  const workflowId = `${shape}-${size}`;
  const { units, flow, input } = SHAPES[shape](size, unit);
  const document = {
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id: workflowId },
    spec: { units, flow, policy: { concurrency: { maxParallelUnits: WIDEST } } },
  };
  // JSON is YAML, and quicker to read.
  return { workflowId, yaml: JSON.stringify(document), input };
}

interface Shaped {
  readonly units: readonly object[];
  readonly flow: object;
  readonly input: JsonObject;
}

const SHAPES: Readonly<Record<GrowingShape, (size: number, unit: string) => Shaped>> = {
  units: (size, unit) => ({ units: named(size, unit), flow: { type: 'sequential' }, input: {} }),
  parallel: (size) => ({
    units: named(size, 'bench.held'),
    flow: { type: 'parallel', units: ids(size) },
    input: {},
  }),
  dag: (size) => ({
    units: named(size, 'bench.held'),
    flow: { type: 'dag', executors: ids(size) },
    input: {},
  }),
  foreach: (size) => ({
    units: named(1, 'bench.held'),
    flow: { type: 'foreach', items: 'input.items', do: 'u0', maxConcurrency: WIDEST },
    input: { items: Array.from({ length: size }, (_, index) => index) },
  }),
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

function ids(size: number): readonly string[] {
  return Array.from({ length: size }, (_, index) => `u${index}`);
}

function named(size: number, uses: string): readonly object[] {
  return ids(size).map((id) => ({ id, uses }));
}
