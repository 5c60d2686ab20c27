import type { FlowgateClient, RunMessage } from 'flowgate-client';

/** So many are read again with each look, for the end of a run's messages has no cursor. */
const PAGE = 100;

interface Address {
  readonly workflowId: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

/** Reads the messages of a run that goes on: each once. They are only ever added to. */
export class MessageReader {
  /** The page that more may be added to; absent: the first. */
  private after: string | undefined;
  /** How many of those behind `after` were taken. */
  private taken = 0;

  constructor(
    private readonly client: Pick<FlowgateClient, 'getMessages'>,
    private readonly address: Address,
  ) {}

  /** Gives `take` those that are new, oldest first, and answers how many they were. */
  async takeNew(take: (message: RunMessage) => Promise<void>): Promise<number> {
    const { workflowId, runId, signal } = this.address;
    let count = 0;
    for (;;) {
      const { after } = this;
      const { messages, next } = await this.client.getMessages(workflowId, runId, {
        after,
        limit: PAGE,
        signal,
      });
      const fresh = messages.slice(this.taken);
      for (const message of fresh) await take(message);
      count += fresh.length;
      if (next === null) {
        this.taken = Math.max(this.taken, messages.length);
        return count;
      }
      this.taken = Math.max(0, this.taken - messages.length);
      this.after = next;
    }
  }
}
