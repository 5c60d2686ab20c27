import { InMemoryRunStore } from '../../src/engine/index.js';
import type { AppendRequest, AppendResult } from '../../src/engine/ports/store/append.js';
import { LOOPS_FOR_OTHERS } from '../../src/engine/runtime/mailbox/slice-scheduler.js';
import { until } from './eventually.js';

/** Keeps the first appends of runs until they are let go. */
export class HoldingStore extends InMemoryRunStore {
  isHolding = true;
  private readonly held: (() => void)[] = [];

  override append(request: AppendRequest): AppendResult | Promise<AppendResult> {
    if (!this.isHolding || request.expectedSeq > 0) return super.append(request);
    return new Promise<void>((letGo) => this.held.push(letGo)).then(() => super.append(request));
  }

  /** Resolves when exactly so many starts are held, and no other is on its way. */
  async holds(starts: number): Promise<void> {
    await until(() => this.held.length >= starts, `${starts} starts are held`);
    for (let round = 0; round < LOOPS_FOR_OTHERS + 36; round++) await new Promise(setImmediate);
    expect(this.held).toHaveLength(starts);
  }

  letGo(): void {
    for (const letGo of this.held.splice(0)) letGo();
  }
}
