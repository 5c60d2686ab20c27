import { setImmediate, setTimeout } from 'node:timers/promises';
import { createEngine, type Engine, type UnitHandler } from '../../../src/engine/index.js';
import type { RunStore } from '../../../src/engine/ports/store/run-store.js';
import { LOOPS_FOR_OTHERS } from '../../../src/engine/runtime/mailbox/slice-scheduler.js';
import { CrashingStore } from '../../support/crashing-store.js';
import type { Shelf } from './family-shelf.js';
import { PromptClock } from './prompt-clock.js';

export const GRACE_MS = 5_000;
export const INSTANT_MS = 25;
export const BEGUN_AT = 1_750_000_000_000;
/** Rounds of the event loop without a request or a decision, after which nothing happens before time passes. */
const IDLE_LOOPS = LOOPS_FOR_OTHERS + 36;

/** A sequence of processes over one shelf. Time passes, and a process dies, when a test says so. */
export class FamilyLives {
  clock = new PromptClock(BEGUN_AT);
  engine!: Engine;
  /** What is stored, read independently of the process. */
  store!: RunStore;
  /** Counts from 1. */
  life = 0;
  private process!: CrashingStore;
  private runsBegun = 0;

  constructor(
    private readonly shelf: Shelf,
    private readonly work: UnitHandler,
    private readonly died: () => void,
  ) {}

  async open(): Promise<void> {
    this.life += 1;
    this.store = this.shelf.next();
    this.process = new CrashingStore(this.store);
    // The dead process waits for things that never come: its clock never moves again.
    this.clock = new PromptClock(this.clock.now());
    const { process, clock } = this;
    const ids = {
      runId: () => `019a3f5e-0000-7000-8000-${(++this.runsBegun).toString(16).padStart(12, '0')}`,
    };
    this.engine = createEngine({
      store: process.store,
      clock,
      ids,
      registry: 'durable',
      shutdownGraceMs: 0,
      sameInstantMs: INSTANT_MS,
      cancelGraceMs: GRACE_MS,
    });
    this.engine.registerUnit('work', (request, context) =>
      process.hasCrashed ? new Promise(() => undefined) : this.work(request, context),
    );
    await this.engine.open();
  }

  kill(): void {
    this.process.crashNow();
  }

  /** Kills the process with the append that is so many away; null takes that back. */
  killWith(death: { readonly appends: number; readonly isStored: boolean } | null): void {
    if (death === null) return this.process.crashAt(null);
    let left = death.appends;
    this.process.crashAt({ isStored: death.isStored, isDueAt: () => --left <= 0 });
  }

  /** Lets everything happen that needs no time, the death of the process and the start of the next one included. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < IDLE_LOOPS; idle++) {
      const { process, engine } = this;
      const { asked } = process;
      await (process.pending > 0 ? setTimeout(1) : setImmediate());
      if (process.hasCrashed) {
        this.died();
        await this.open();
        idle = 0;
      } else if (process.pending > 0 || process.asked !== asked || isBusy(engine)) idle = 0;
    }
  }

  async pass(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    do await this.settle();
    while (this.clock.ring(until, { isCare: false }));
    // The background work of the process comes last, once.
    this.clock.ring(until, { isCare: true });
    await this.settle();
  }

  async close(): Promise<void> {
    this.kill();
    await this.shelf.close();
  }
}

function isBusy(engine: Engine): boolean {
  const { mailboxes } = engine.figures();
  return mailboxes.busy + mailboxes.mails > 0;
}
