import {
  createEngine,
  InMemoryRunStore,
  type Engine,
  type RunRecord,
  type UnitHandler,
} from '../../src/engine/index.js';
import type { AppendRequest } from '../../src/engine/ports/store/append.js';
import type { RunStore } from '../../src/engine/ports/store/run-store.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { outcomeOf } from './durability-engine.js';
import { CrashingStore, type Crash } from './crashing-store.js';

export const GRACE_MS = 5_000;
/** Requests that arrive within this are of one instant. */
export const INSTANT_MS = 25;
export const DAY_MS = 86_400_000;

export const child = (id: string, workflowId: string, more: object = {}) => ({
  id,
  uses: 'builtin.workflow',
  config: { workflowId },
  ...more,
});
export const unit = (id: string, more: object = {}) => ({ id, uses: 'work', ...more });
export const gate = { id: 'gate', uses: 'builtin.approval' };
export const DAY = { id: 'wait', uses: 'builtin.wait', config: { duration: 'P1D' } };

export interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

/** A call of the unit `work`, which answers when the test says so, or at once where the test says so before. */
interface Call {
  readonly unitId: string;
  readonly runId: string;
  readonly key: string;
  readonly answer: (value: unknown) => void;
  readonly fail: (isPermanent: boolean) => void;
}

/** Blocks appends until they may reach the store. */
export class BlockingStore extends InMemoryRunStore {
  isBlocked: (request: AppendRequest) => boolean = () => false;
  private release = Promise.withResolvers<void>();
  blocked = 0;

  override async append(request: AppendRequest) {
    if (this.isBlocked(request)) {
      this.blocked += 1;
      await this.release.promise;
    }
    return super.append(request);
  }

  unblock(): void {
    this.isBlocked = () => false;
    this.release.resolve();
    this.release = Promise.withResolvers<void>();
  }
}

/** One engine after the other over one store, by one clock; units answer as the test says. */
export class World {
  readonly clock = new ManualClock();
  readonly calls: Call[] = [];
  engine!: Engine;
  private process!: CrashingStore;
  /** Units whose calls are answered at once; others wait for the test. */
  readonly atOnce = new Map<string, UnitHandler>();

  constructor(readonly base: RunStore = new InMemoryRunStore()) {}

  async open(): Promise<void> {
    this.process = new CrashingStore(this.base);
    const { process, clock } = this;
    this.engine = createEngine({
      store: process.store,
      clock,
      registry: 'durable',
      shutdownGraceMs: 0,
      sameInstantMs: INSTANT_MS,
      cancelGraceMs: GRACE_MS,
    });
    this.engine.registerUnit('work', (request, context) => {
      if (process.hasCrashed) return new Promise(() => undefined);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const { runId, unitId } = request.context;
      const fail = (isPermanent: boolean) =>
        reject(Object.assign(new Error(`${unitId} broke`), isPermanent ? { retryable: false } : {}));
      this.calls.push({ unitId, runId, key: context.idempotencyKey, answer: resolve, fail });
      const handler = this.atOnce.get(unitId);
      return handler === undefined ? promise : handler(request, context);
    });
    await this.engine.open();
  }

  async register(...documents: readonly string[]): Promise<void> {
    for (const yaml of documents) await this.engine.workflows.register({ yaml });
  }

  answerAtOnce(...unitIds: readonly string[]): void {
    for (const unitId of unitIds) this.atOnce.set(unitId, () => `${unitId} is done`);
  }

  async start(workflowId: string): Promise<Address> {
    const { runId } = await this.engine.runs.start({ workflowId });
    await this.settles();
    return { workflowId, runId };
  }

  /** The process is killed; another one continues. */
  async restart(): Promise<void> {
    this.process.crashNow();
    await this.open();
    await this.settles();
  }

  crashAt(crash: Crash): void {
    this.process.crashAt(crash);
  }

  get hasCrashed(): boolean {
    return this.process.hasCrashed;
  }

  /** Lets everything happen that needs no time. */
  async settles(): Promise<void> {
    await this.clock.advance(0);
    await this.clock.advance(0);
  }

  async passes(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.settles();
  }

  /** What became of a request, by a clock that is moved for it. */
  async asked<T>(request: Promise<T>): Promise<T> {
    const outcome = outcomeOf(request);
    await this.settles();
    for (let step = 0; outcome.isOpen && step < 20; step++)
      await this.passes(step < 3 ? INSTANT_MS : GRACE_MS);
    return request;
  }

  /** Sends a request of which nobody hears any more: it may die with its process. */
  send(request: Promise<unknown>): void {
    request.catch(() => undefined);
  }

  callsOf(unitId: string): readonly Call[] {
    return this.calls.filter((call) => call.unitId === unitId);
  }

  called(): readonly string[] {
    return this.calls.map(({ unitId }) => unitId);
  }

  get = (address: Address): Promise<RunRecord> => this.engine.runs.get(address);
  status = async (address: Address): Promise<string> => (await this.get(address)).status;

  /** The children that a run began, in order. */
  async childrenOf(address: Address): Promise<readonly Address[]> {
    const { messages } = await this.engine.runs.messages(address);
    const found = new Map<string, Address>();
    for (const message of messages) {
      if (message.type !== 'child-started') continue;
      found.set(message.childRunId, { workflowId: message.workflowId, runId: message.childRunId });
    }
    return [...found.values()];
  }

  async firstChild(address: Address): Promise<Address> {
    const [first] = await this.childrenOf(address);
    if (first === undefined) throw new Error('It has no child.');
    return first;
  }

  /** A process that crashed is not closed, for nothing answers it; its clock is released with the test. */
  close(): void {
    this.process.crashNow();
  }
}
