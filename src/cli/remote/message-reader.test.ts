import type { MessagePage, MessagesOptions, RunMessage } from 'flowgate-client';
import { MessageReader } from './message-reader.js';

/** The messages of a run that goes on, paged as the service pages them: `next` is null where the last page ends. */
class GrowingRun {
  readonly messages: RunMessage[] = [];

  grow(count: number): void {
    for (let i = 0; i < count; i++)
      this.messages.push({ type: 'state-update', timestamp: 0, key: String(this.messages.length) });
  }

  getMessages(_workflowId: string, _runId: string, options: MessagesOptions = {}): Promise<MessagePage> {
    const from = Number(options.after ?? 0);
    const end = from + (options.limit ?? 1_000);
    const next = end <= this.messages.length ? String(end) : null;
    return Promise.resolve({ messages: this.messages.slice(from, end), next });
  }
}

describe('the messages of a run that goes on', () => {
  it.each([[[0, 3, 4]], [[99, 1, 1]], [[100, 100, 100]], [[250, 0, 51, 149]], [[1_000]]])(
    'are each taken once, growing by %j',
    async (growth) => {
      const run = new GrowingRun();
      const signal = new AbortController().signal;
      const reader = new MessageReader(run, { workflowId: 'w', runId: 'r', signal });
      const taken: RunMessage[] = [];
      for (const count of growth) {
        run.grow(count);
        const fresh = await reader.takeNew(async (message) => void taken.push(message));
        expect(fresh).toBe(count);
      }
      expect(taken).toEqual(run.messages);
    },
  );
});
