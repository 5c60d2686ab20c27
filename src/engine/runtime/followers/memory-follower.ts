import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunEvent } from '../../core/log/event.js';
import type { PlanUnit } from '../../core/plan/plan.js';
import type { CancelTimer, Clock } from '../../ports/clock.js';
import type { MemoryEntry, MemoryIndex } from '../../ports/memory-index.js';
import type { LogEntry, RunStore } from '../../ports/run-store.js';
import type { EngineLogger } from '../logger.js';

const CURSOR = 'memory';
const BATCH = 50;
const RETRY_MS = 5_000;
const MAX_CONTENT_CHARS = 16_384;

export interface MemoryFollowerOptions {
  readonly store: RunStore;
  readonly memory: MemoryIndex;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** The unit as its run's plan has it, to see whether it opted out; null when nobody knows the plan. */
  readonly unitOf: (entry: LogEntry, unitId: string) => Promise<PlanUnit | null>;
}

/**
 * Follows the log of all runs and puts the outputs of units into the memory. It works off the hot path, one
 * batch after another; its place is stored only after the batch is, so that nothing is left out (an output
 * that is put twice replaces itself).
 */
export class MemoryFollower {
  private position: number | null = null;
  private isAsked = false;
  private working: Promise<void> | null = null;
  private isStopped = false;
  private endBreath: () => void = () => undefined;
  private cancelRetry: CancelTimer = () => undefined;

  constructor(private readonly options: MemoryFollowerOptions) {}

  /** Something was appended. Cheap: the work happens later. */
  wake(): void {
    this.isAsked = true;
    if (this.working !== null || this.isStopped) return;
    this.working = new Promise<void>((resolve) => {
      setImmediate(() => void this.work().finally(resolve));
    }).finally(() => {
      this.working = null;
      if (this.isAsked && !this.isStopped) this.wake();
    });
  }

  /** The memory is empty: everything that the log still holds goes into it again. */
  async startOver(): Promise<void> {
    await this.options.store.writeCursor({ name: CURSOR, position: 0 });
    this.position = 0;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelRetry();
    this.endBreath();
    await this.working;
  }

  private async work(): Promise<void> {
    const { store, memory, clock, logger } = this.options;
    try {
      this.position ??= await store.readCursor({ name: CURSOR });
      while (this.isAsked && !this.isStopped) {
        this.isAsked = false;
        for (;;) {
          const startedAt = clock.now();
          const entries = await store.readAll({ afterPosition: this.position, limit: BATCH });
          const last = entries.at(-1);
          if (last === undefined) break;
          const remembered = await this.entriesOf(entries);
          if (remembered.length > 0) await memory.put({ entries: remembered });
          this.position = last.position;
          await store.writeCursor({ name: CURSOR, position: last.position });
          if (this.isStopped) return;
          await this.breathe(clock.now() - startedAt);
        }
      }
    } catch (error) {
      logger.warn('The memory could not follow the log; it tries again', {
        error: messageOf(error),
      });
      this.cancelRetry();
      this.cancelRetry = clock.schedule(clock.now() + RETRY_MS, () => this.wake());
    }
  }

  /** Under load the memory takes a twentieth of the time, and runs take the rest. */
  private breathe(workedMs: number): Promise<void> {
    const { clock } = this.options;
    return new Promise((resolve) => {
      this.endBreath = resolve;
      if (workedMs === 0) setImmediate(resolve);
      else clock.schedule(clock.now() + 19 * workedMs, resolve);
    });
  }

  private async entriesOf(entries: readonly LogEntry[]): Promise<readonly MemoryEntry[]> {
    const remembered: MemoryEntry[] = [];
    for (const entry of entries) {
      for (const event of entry.events) {
        if (event.type !== 'unit-finished' || event.output === null) continue;
        const unit = await this.options.unitOf(entry, event.unitId);
        if (unit?.remembered === true) remembered.push(memoryEntry(entry, event, event.output));
      }
    }
    return remembered;
  }
}

function memoryEntry(
  { runId, workflowId }: LogEntry,
  event: RunEvent & { readonly type: 'unit-finished' },
  output: unknown,
): MemoryEntry {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return {
    id: `${runId}:${event.executionId}`,
    content: text.slice(0, MAX_CONTENT_CHARS),
    metadata: { workflowId, runId, unitId: event.unitId, at: event.at },
  };
}
