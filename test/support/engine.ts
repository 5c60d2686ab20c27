import { createEngine, type Engine, type EngineOptions, type UnitHandler } from '../../src/engine/index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: ManualClock;
}

/**
 * An open engine with a clock of its own and the given units. Its `close` rejects if a run of it had stalled, which no test
 * may bring about without a fault that it makes itself (`mayStall`).
 */
export async function openEngine(
  units: Readonly<Record<string, UnitHandler>> = {},
  options: Partial<EngineOptions> = {},
  mayStall = false,
): Promise<TestEngine> {
  const clock = new ManualClock();
  const engine = createEngine({ clock, shutdownGraceMs: 0, sameInstantMs: 0, ...options });
  await engine.open();
  for (const [uses, handler] of Object.entries(units)) engine.registerUnit(uses, handler);
  const close = engine.close.bind(engine);
  engine.close = async () => {
    await close();
    if (engine.figures().stalledRuns > 0 && !mayStall) throw new Error('A run had stalled: see the log.');
  };
  return { engine, clock };
}

/** A workflow as YAML; `spec` is written as JSON, which YAML contains. */
export function workflowYaml(id: string, spec: object): string {
  return JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id }, spec });
}

/** Units one after another. */
export function inSequence(id: string, units: readonly object[], more: object = {}): string {
  return workflowYaml(id, { units, flow: { type: 'sequential' }, ...more });
}
