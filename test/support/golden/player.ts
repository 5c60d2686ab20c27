import { createEngine, type Engine, type RunStore } from '../../../src/engine/index.js';
import type { Clock } from '../../../src/engine/ports/clock.js';
import type { CallMark } from '../../../src/engine/ports/store/crash-journal.js';
import { ManualClock } from '../../../src/engine/testing/manual-clock.js';
import { exportOf, linesOf, withSum } from '../exports.js';
import type { Step } from './history.js';
import { scriptedUnit } from './scripted-unit.js';

/** When recorded runs begin; epoch ms. */
export const BEGINNING = 1_750_000_000_000;

const GRACE_MS = 5_000;

interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

/** One process: what it asks of the store and the clock comes to nothing once it died. */
class Process {
  isAlive = true;

  constructor(private readonly opened: ReturnType<RunStore['open']>) {}

  /** Calls of the store that are not answered. */
  asked = 0;
  readonly begun: CallMark[] = [];

  store(store: RunStore, left: readonly CallMark[]): RunStore {
    return new Proxy(store, {
      get: (target, name: keyof RunStore) => {
        // Also of a store that goes with the process: a crash in it is simulated.
        if (name === 'keepsMarks') return true;
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          if (!this.isAlive) return new Promise(() => undefined);
          if (name === 'markCalls') this.#mark(...(given as Parameters<RunStore['markCalls']>));
          if (name === 'callsLeftBehind') return Promise.resolve(left);
          const answer: unknown =
            name === 'open' ? this.opened : (Reflect.apply(member, target, given) as unknown);
          if (answer instanceof Promise) {
            this.asked += 1;
            const answered = (): unknown => (this.asked -= 1);
            answer.then(answered, answered);
          }
          return answer;
        };
      },
    });
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      wallTime: () => clock.wallTime(),
      schedule: (at, callback, isCare) =>
        clock.schedule(at, () => (this.isAlive ? callback() : undefined), isCare),
    };
  }

  #mark({ begun, ended }: Parameters<RunStore['markCalls']>[0]): void {
    for (const { executionId, runId } of ended) {
      const at = this.begun.findIndex((mark) => mark.executionId === executionId && mark.runId === runId);
      if (at !== -1) this.begun.splice(at, 1);
    }
    this.begun.push(...begun);
  }
}

/** Plays runs over a store, its time in its hands: everything that is due happens, in order, and nothing else. */
export class Player {
  private process: Process;
  private readonly clock: ManualClock;
  private readonly answers: Promise<unknown>[] = [];
  engine!: Engine;

  constructor(
    private readonly store: RunStore,
    /** A store is opened once, for all processes. */
    private readonly opened = store.open(),
    now = BEGINNING,
    /** How many runs there are: ids are counted on. */
    private runs = 0,
  ) {
    this.clock = new ManualClock(now);
    this.process = new Process(opened);
  }

  async open(left: readonly CallMark[] = []): Promise<void> {
    this.process = new Process(this.opened);
    const clock = this.process.clock(this.clock);
    this.engine = createEngine({
      store: this.process.store(this.store, left),
      clock,
      // A child run may be due to start before anybody could register its workflow again.
      registry: 'durable',
      // Two in one instant would be a matter of luck.
      ids: { runId: () => `01976ff2-a600-7000-8000-${String(this.runs++).padStart(12, '0')}` },
      shutdownGraceMs: 0,
      sameInstantMs: 0,
      resumeWaitMs: 0,
      cancelGraceMs: GRACE_MS,
    });
    this.engine.registerUnit('scripted', scriptedUnit(clock));
    await this.engine.open();
    await this.quiet();
  }

  /** Lets everything happen until so many ms after the beginning. */
  async passTo(ms: number): Promise<void> {
    const until = BEGINNING + ms;
    for (;;) {
      await this.quiet();
      const { next } = this.clock;
      if (next === null || next > until) break;
      await this.clock.advance(Math.max(0, next - this.clock.now()));
    }
    await this.clock.advance(Math.max(0, until - this.clock.now()));
    await this.quiet();
  }

  async take(step: Step, address: Address): Promise<void> {
    if (step.do === 'die') {
      const { process } = this;
      process.isAlive = false;
      await this.open(process.begun);
      return;
    }
    this.answers.push(this.asked(step, address));
    await this.quiet();
  }

  /** Closes the process in order, and says whether all requests were answered. */
  async close(): Promise<void> {
    await this.engine.close();
    await Promise.all(this.answers);
  }

  /** A run that the run began, or one below it. */
  private async childOf(address: Address, workflowId: string): Promise<Address> {
    const found = await this.findBelow(address, workflowId);
    if (found === null) throw new Error(`There is no child run of ${workflowId}.`);
    return found;
  }

  private async findBelow(address: Address, workflowId: string): Promise<Address | null> {
    const { messages } = await this.engine.runs.messages(address);
    for (const message of messages) {
      if (message.type !== 'child-started') continue;
      const child = { workflowId: message.workflowId, runId: message.childRunId };
      const found = child.workflowId === workflowId ? child : await this.findBelow(child, workflowId);
      if (found !== null) return found;
    }
    return null;
  }

  private async asked(
    step: Step & { readonly do: Exclude<Step['do'], 'die'> },
    address: Address,
  ): Promise<unknown> {
    const { runs, gates } = this.engine;
    switch (step.do) {
      case 'approve': {
        const { approved = true, comment, unitId } = step;
        const open = await gates.open(address);
        const gate = open.find((one) => one.unitId === unitId);
        if (gate === undefined) throw new Error(`No gate of ${unitId} is open.`);
        const said = { approved, responder: 'ann', ...(comment !== undefined && { comment }) };
        return gates.respond({ ...address, ...said, ...(open.length > 1 && { gateId: gate.gateId }) });
      }
      case 'resume':
        return runs.resume({
          ...(step.child === undefined ? address : await this.childOf(address, step.child)),
          ...(step.budget && { budget: step.budget }),
        });
      case 'rewind': {
        const { snapshotId } = (await runs.snapshots(address))[step.checkpoint] ?? {};
        if (snapshotId === undefined) throw new Error(`There is no checkpoint ${step.checkpoint}.`);
        return runs.resume({ ...address, snapshotId });
      }
      case 'cancel':
        return runs.cancel({ ...address, ...(step.key !== undefined && { idempotencyKey: step.key }) });
      case 'pause':
        return runs.pause(address);
      case 'compensate':
        return runs.compensate({ ...address, ...(step.key !== undefined && { idempotencyKey: step.key }) });
      case 'import': {
        const lines = linesOf(await exportOf(this.engine, address));
        const others = lines.map((line) => ('runId' in line ? { ...line, runId: step.as } : line));
        return runs.import({ ndjson: Buffer.from(withSum(others)) });
      }
      case 'fork': {
        const { checkpoint, unitId, key, state, unitInput } = step;
        const { snapshotId } = (await runs.snapshots(address))[checkpoint ?? -1] ?? {};
        return runs.fork({
          ...address,
          ...(snapshotId !== undefined && { from: { snapshotId } }),
          ...(unitId !== undefined && { from: { unitId } }),
          ...(state !== undefined && { state }),
          ...(unitInput !== undefined && { unitInput }),
          ...(key !== undefined && { idempotencyKey: key }),
        });
      }
    }
  }

  /** Until nothing is under way but what waits for time or for people. */
  private async quiet(): Promise<void> {
    for (let idle = 0; idle < 2;) {
      await this.clock.advance(0);
      idle = this.process.asked === 0 ? idle + 1 : 0;
    }
  }
}
