import { createEngine, type Engine, type EngineOptions, type UnitHandler } from '../../src/engine/index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: ManualClock;
}

/** An open engine with a clock of its own and the given units. */
export async function openEngine(
  units: Readonly<Record<string, UnitHandler>> = {},
  options: Partial<EngineOptions> = {},
): Promise<TestEngine> {
  const clock = new ManualClock();
  const engine = createEngine({ clock, shutdownGraceMs: 0, sameInstantMs: 0, ...options });
  await engine.open();
  for (const [uses, handler] of Object.entries(units)) engine.registerUnit(uses, handler);
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
