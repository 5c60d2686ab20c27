import { Pool } from 'undici';
import type { Sample } from './contest.ts';
import { costOf } from './cost.ts';
import type { Target } from './load.ts';

/** One call of many: their number distinguishes those of one burst. */
export type CallOf = (number: number) => {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Sends so many calls at once, each on a connection of its own that stays open, and again when all are answered. */
export class Bursts {
  private readonly connections: Pool;
  private readonly target: Target;
  private readonly size: number;

  constructor(target: Target, size: number) {
    this.connections = new Pool(new URL(target.url).origin, { connections: size });
    this.target = target;
    this.size = size;
  }

  /**
   * For at least so long, and then until the target has caught up. Fails when an answer is not 2xx, or lacks what it has to
   * `contain`.
   */
  async during(seconds: number, callOf: CallOf, contain: string): Promise<Sample> {
    const sample = await costOf(this.target.pids, async () => {
      const from = performance.now();
      let done = 0;
      do {
        await Promise.all(Array.from({ length: this.size }, () => this.send(callOf(++done), contain)));
      } while (performance.now() - from < seconds * 1_000);
      return { done, seconds: (performance.now() - from) / 1_000 };
    });
    await this.target.caughtUp?.();
    return sample;
  }

  stop(): Promise<void> {
    return this.connections.close();
  }

  private async send(call: ReturnType<CallOf>, contain: string): Promise<void> {
    const { statusCode, body } = await this.connections.request({ ...call, method: 'POST' });
    const text = await body.text();
    if (statusCode >= 300 || !text.includes(contain))
      throw new Error(`${call.path} answered ${statusCode}: ${text.slice(0, 500)}`);
  }
}
