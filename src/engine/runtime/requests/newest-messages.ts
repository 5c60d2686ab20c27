import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { messagesOf } from '../../core/log/messages.js';
import type { Steps } from '../../core/steps.js';

/** How many messages a record shows: the newest. The rest are paged by `messages`. */
export const MAX_RECORD_MESSAGES = 1_000;

/** Gathers the newest messages of a run from its end, and holds no more of its log than these. */
export class NewestMessages {
  private readonly batches: (readonly RunMessage[])[] = [];
  private count = 0;

  constructor(private readonly runId: string) {}

  get isFull(): boolean {
    return this.count >= MAX_RECORD_MESSAGES;
  }

  /** Of events that come before all that were taken already. */
  takeAtOnce(events: readonly RunEvent[]): void {
    for (let i = events.length - 1; i >= 0 && !this.isFull; i--) this.takeOf(events[i] as RunEvent);
  }

  /** The same; it may be interrupted after each, for an output may be large. */
  *take(events: readonly RunEvent[]): Steps<void> {
    for (let i = events.length - 1; i >= 0 && !this.isFull; i--) {
      this.takeOf(events[i] as RunEvent);
      yield;
    }
  }

  /** Oldest first. */
  all(): readonly RunMessage[] {
    return this.batches.toReversed().flat().slice(-MAX_RECORD_MESSAGES);
  }

  private takeOf(event: RunEvent): void {
    const messages = messagesOf(this.runId, event);
    if (messages.length === 0) return;
    this.batches.push(messages);
    this.count += messages.length;
  }
}
