import {
  createEngine,
  type Engine,
  type EngineOptions,
  type UnitHandler,
  type UnitOptions,
} from '../engine/index.js';
import { ManualClock } from '../engine/testing/manual-clock.js';
import { ScriptedUnit } from './scripted-unit.js';
import type { Sleepers } from './sleepers.js';
import { TestRun } from './test-run.js';

export interface TestKitOptions {
  /** By `uses` name: scripted units, or code as the application has it. */
  readonly units?: Readonly<Record<string, ScriptedUnit | UnitHandler<never>>>;
  /** Documents, as text or as objects, to register once the units are. */
  readonly workflows?: readonly (string | object)[];
  /** All other options of the engine. Its clock is the kit's, runs are kept in memory. */
  readonly engine?: Partial<Omit<EngineOptions, 'clock'>>;
}

/** An engine under a clock that a test moves. */
export class TestKit {
  private readonly sleepers: Sleepers = { count: 0 };

  /** Around an engine of the application: it must have been made with that clock. */
  constructor(
    readonly engine: Engine,
    readonly clock: ManualClock,
  ) {}

  /** Registers the unit under that name, with the options of `registerUnit`. */
  register(uses: string, unit: ScriptedUnit | UnitHandler<never>, options: UnitOptions = {}): void {
    const handler = unit instanceof ScriptedUnit ? unit.handler(this.clock, this.sleepers) : unit;
    this.engine.registerUnit(uses, handler as UnitHandler, options);
  }

  /** Starts a run, and does not wait for it. */
  async start(workflowId: string, input: object = {}): Promise<TestRun> {
    const own = input as Record<string, never>;
    const { runId } = await this.engine.runs.start({ workflowId, input: own });
    return this.run(workflowId, runId);
  }

  /** A run that was started elsewhere. */
  run(workflowId: string, runId: string): TestRun {
    const { engine, clock, sleepers } = this;
    return new TestRun({ engine, clock, sleepers }, workflowId, runId);
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

/** An open engine with these units and workflows. Close it at the end of the test. */
export async function openTestKit(options: TestKitOptions = {}): Promise<TestKit> {
  const { units = {}, workflows = [] } = options;
  const clock = new ManualClock();
  // A decision need not be kept back for others of the same instant, nor a shutdown wait for units that never return.
  const kit = new TestKit(
    createEngine({ sameInstantMs: 0, shutdownGraceMs: 0, ...options.engine, clock }),
    clock,
  );
  await kit.engine.open();
  try {
    for (const [uses, unit] of Object.entries(units)) kit.register(uses, unit);
    for (const given of workflows) {
      const yaml = typeof given === 'string' ? given : JSON.stringify(given);
      await kit.engine.workflows.register({ yaml });
    }
  } catch (error) {
    await kit.close();
    throw error;
  }
  return kit;
}
