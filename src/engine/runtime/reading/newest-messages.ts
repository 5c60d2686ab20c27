import type { RunEvent } from '../../core/log/event.js';
import type { RunMessage } from '../../core/log/messages.js';
import { addNewestFirst } from '../../core/log/messages.js';
import type { Steps } from '../../core/steps.js';

/** How many messages a record shows: the newest. The rest are paged by `messages`. */
export const MAX_RECORD_MESSAGES = 1_000;

/** Gathers the newest messages of a run from its end, and holds no more of its log than these. */
export class NewestMessages {
  /** The newest first. */
  private readonly gathered: RunMessage[] = [];

  constructor(private readonly runId: string) {}

  get isFull(): boolean {
    return this.gathered.length >= MAX_RECORD_MESSAGES;
  }

  /** Takes the messages of events that come before all that were taken already. */
  takeAtOnce(events: readonly RunEvent[]): void {
    for (let i = events.length - 1; i >= 0 && !this.isFull; i--) this.takeOf(events[i] as RunEvent);
  }

  /** The same, but it may be interrupted after each event, since an output may be large. */
  *take(events: readonly RunEvent[]): Steps<void> {
    for (let i = events.length - 1; i >= 0 && !this.isFull; i--) {
      this.takeOf(events[i] as RunEvent);
      yield;
    }
  }

  /** Oldest first. */
  all(): readonly RunMessage[] {
    const messages = this.gathered.toReversed();
    return messages.length > MAX_RECORD_MESSAGES ? messages.slice(-MAX_RECORD_MESSAGES) : messages;
  }

  private takeOf(event: RunEvent): void {
    addNewestFirst(this.gathered, this.runId, event);
  }
}
