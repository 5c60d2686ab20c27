import { readFileSync } from 'node:fs';
import type { Engine, JsonObject, JsonValue, RunRecord, UnitHandler } from '../../../src/engine/index.js';
import type { ManualClock } from '../../../src/engine/testing/manual-clock.js';
import { openEngine } from '../../support/engine.js';

interface Call {
  readonly input: JsonValue;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One run of a document, with a hand on every call of `uses: work`: a call lasts until the test ends it. It is known by
 * its unit's id, or by what its input says under `call`. After each step everything has happened that follows from it.
 */
export class Stage {
  /** The calls that began, in that order. */
  readonly began: string[] = [];
  /** The calls whose signal fired: nobody waits for them any more. */
  readonly withdrawn: string[] = [];
  readonly #open = new Map<string, Call>();
  #address = { workflowId: '', runId: '' };

  private constructor(
    readonly engine: Engine,
    private readonly clock: ManualClock,
  ) {}

  /** Registers `documents/<name>.yaml` and starts a run of it. */
  static async of(name: string, input: JsonObject = {}): Promise<Stage> {
    const { engine, clock } = await openEngine();
    const stage = new Stage(engine, clock);
    stages.push(stage);
    engine.registerUnit('work', stage.#work);
    const yaml = readFileSync(`test/patterns/documents/${name}.yaml`, 'utf8');
    const { workflowId, warnings } = await engine.workflows.register({ yaml });
    expect(warnings).toEqual([]);
    const { runId } = await engine.runs.start({ workflowId, input });
    stage.#address = { workflowId, runId };
    await stage.pass(0);
    return stage;
  }

  /** The calls that are under way, in the order of their beginnings. */
  get atWork(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** What the call that is under way was given. */
  inputOf(call: string): JsonValue {
    return this.#taken(call, (open) => open.input);
  }

  async finish(call: string, output: unknown = `${call} done`): Promise<void> {
    this.#taken(call, (open) => open.resolve(output));
    this.#open.delete(call);
    await this.pass(0);
  }

  async fail(call: string): Promise<void> {
    const error = Object.assign(new Error(`${call} failed`), { retryable: false });
    this.#taken(call, (open) => open.reject(error));
    this.#open.delete(call);
    await this.pass(0);
  }

  /** Lets so much time pass, in ms. */
  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** The ids of the units whose gates are open. */
  async gates(): Promise<readonly string[]> {
    return (await this.engine.gates.open(this.#address)).map(({ unitId }) => unitId);
  }

  /** A decision from outside, at the one gate that is open. */
  async decide(approved = true, responder = 'ann'): Promise<void> {
    await this.#inTime(this.engine.gates.respond({ ...this.#address, approved, responder }));
  }

  async cancel(): Promise<RunRecord> {
    return this.#inTime(this.engine.runs.cancel(this.#address));
  }

  async record(): Promise<RunRecord> {
    return this.engine.runs.get(this.#address);
  }

  async status(): Promise<string> {
    return (await this.record()).status;
  }

  async state(): Promise<JsonObject> {
    return (await this.record()).result?.state ?? {};
  }

  /** Waits for what itself waits for the run to stop, without a real second. */
  async #inTime<T>(asked: Promise<T>): Promise<T> {
    const outcome = asked.then(
      () => true,
      () => true,
    );
    const longest = 60_000;
    for (let waited = 0; waited < longest; waited += 1_000) {
      await this.pass(0);
      if (await Promise.race([outcome, Promise.resolve(false)])) return asked;
      await this.pass(1_000);
    }
    return asked;
  }

  readonly #work: UnitHandler = ({ input, context }, { signal }) => {
    const { unitId } = context;
    const named = (input as { readonly call?: unknown } | null)?.call;
    const call = typeof named === 'string' ? named : unitId;
    this.began.push(call);
    return new Promise((resolve, reject) => {
      this.#open.set(call, { input, resolve, reject });
      signal.addEventListener('abort', () => {
        this.withdrawn.push(call);
        this.#open.delete(call);
        reject(new Error(`${call} was withdrawn`));
      });
    });
  };

  #taken<T>(call: string, of: (open: Call) => T): T {
    const open = this.#open.get(call);
    if (open === undefined) throw new Error(`${call} is not under way; ${this.atWork.join(', ')} are.`);
    return of(open);
  }
}

const stages: Stage[] = [];

/** Ends what the stages of a test left open. */
export async function leaveStage(): Promise<void> {
  for (const { engine } of stages.splice(0)) await engine.close();
}

/** A run of `documents/<name>.yaml`, as far as it goes by itself. */
export function play(name: string, input?: JsonObject): Promise<Stage> {
  return Stage.of(name, input);
}
