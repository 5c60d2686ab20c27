import type { Engine, JsonObject, RunRecord, UnitHandler, UnitRequest } from '../../../src/engine/index.js';
import { openEngine, workflowYaml } from '../../support/engine.js';

/** One run of one workflow, on an engine of its own. */
export interface Run {
  readonly engine: Engine;
  /** The run as it was when it first stopped. */
  readonly record: RunRecord;
  readonly state: JsonObject;
  /** Every call of a unit, in the order of their beginnings. */
  readonly calls: readonly UnitRequest[];
  /** Ids of the called units, in that order. */
  readonly called: readonly string[];
  readonly address: { readonly workflowId: string; readonly runId: string };
  approve(unitId: string, approved?: boolean): Promise<RunRecord>;
  resume(snapshotId?: string): Promise<RunRecord>;
  now(): Promise<RunRecord>;
}

/** A failure that is not tried again. */
export function refusal(message: string): Error {
  return Object.assign(new Error(message), { retryable: false });
}

/** What `uses: echo` does: returns its input. */
export const echo: UnitHandler = ({ input }) => input;

/** Starts a run and waits until it stops. `echo` is always there. */
export async function run(
  spec: object,
  units: Readonly<Record<string, UnitHandler>> = {},
  input: JsonObject = {},
): Promise<Run> {
  const calls: UnitRequest[] = [];
  const watched = Object.entries({ echo, ...units }).map(([uses, handler]): [string, UnitHandler] => [
    uses,
    (request, options) => {
      calls.push(request);
      return handler(request, options);
    },
  ]);
  const { engine } = await openEngine(Object.fromEntries(watched));
  await engine.workflows.register({ yaml: workflowYaml('test', spec) });
  const record = await engine.runs.start({ workflowId: 'test', input, sync: true });
  const address = { workflowId: 'test', runId: record.runId };
  const gateOf = async (unitId: string): Promise<number> => {
    const { messages } = await engine.runs.messages(address);
    const decided = new Set(messages.map((one) => (one.type === 'hitl-response' ? one.gateId : null)));
    for (const one of messages) {
      if (one.type === 'hitl-request' && one.unitId === unitId && !decided.has(one.gateId)) return one.gateId;
    }
    throw new Error(`No gate of ${unitId} is open.`);
  };
  return {
    engine,
    record,
    calls,
    address,
    get state() {
      return record.result?.state ?? {};
    },
    get called() {
      return calls.map(({ context }) => context.unitId);
    },
    approve: async (unitId, approved = true) =>
      engine.gates.respond({ ...address, approved, responder: 'ann', gateId: await gateOf(unitId) }),
    resume: (snapshotId) =>
      engine.runs.resume({ ...address, ...(snapshotId === undefined ? {} : { snapshotId }) }),
    now: () => engine.runs.get(address),
  };
}

/** Units that return their `with`; the other fields of each as given. */
export function echoes(...ids: readonly string[]): object[] {
  return ids.map((id) => ({ id, uses: 'echo', with: { from: id } }));
}

export const gateUnit = (id: string, more: object = {}) => ({ id, uses: 'builtin.approval', ...more });

/** Lets a test decide when each call of a unit ends. */
export class Waiting {
  readonly #open = new Map<string, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #arrived: () => void = () => undefined;

  /** The handler: waits until the test ends its unit. `name` distinguishes what one unit does several times. */
  handler(name: (request: UnitRequest) => string = ({ context }) => context.unitId): UnitHandler {
    return (request) =>
      new Promise((resolve, reject) => {
        this.#open.set(name(request), { resolve, reject });
        this.#arrived();
      });
  }

  get names(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Resolves once exactly these calls are open, in any order. */
  async until(...names: readonly string[]): Promise<void> {
    const wanted = names.toSorted().join();
    while (this.names.toSorted().join() !== wanted) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  finish(name: string, value: unknown = name): void {
    this.#take(name).resolve(value);
  }

  fail(name: string): void {
    this.#take(name).reject(refusal(`${name} refused`));
  }

  #take(name: string) {
    const call = this.#open.get(name);
    if (call === undefined) throw new Error(`${name} is not being called; ${this.names.join()} are.`);
    this.#open.delete(name);
    return call;
  }
}
