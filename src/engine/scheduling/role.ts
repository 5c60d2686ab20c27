import { messageOf } from '../../errors/flowgate-error.js';
import { sleep, type Clock } from '../ports/clock.js';
import type { EngineLogger } from '../ports/logger.js';

const SHORTEST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
const END_WITHIN_MS = 5_000;

export type RoleWork = (signal: AbortSignal) => Promise<void>;

/**
 * Work that runs until it is ended. When it rejects it is started again, after 1 s and then twice as long each time, up to
 * 60 s; after work that ran for longer than that the wait is 1 s again.
 */
export class Role {
  private readonly controller = new AbortController();
  private readonly ended: Promise<void>;
  private isRunning = true;

  constructor(
    readonly name: string,
    private readonly work: RoleWork,
    private readonly clock: Clock,
    private readonly logger: EngineLogger,
  ) {
    this.ended = this.run().finally(() => {
      this.isRunning = false;
    });
  }

  get hasEnded(): boolean {
    return !this.isRunning;
  }

  /** Resolves when the work has. */
  end(): Promise<void> {
    this.controller.abort();
    return this.ended;
  }

  private async run(): Promise<void> {
    const { signal } = this.controller;
    let backoffMs = SHORTEST_BACKOFF_MS;
    while (!signal.aborted) {
      const begunAt = this.clock.now();
      try {
        await this.work(signal);
        return;
      } catch (error) {
        if (signal.aborted) return this.saidLast(error);
        if (this.clock.now() - begunAt > LONGEST_BACKOFF_MS) backoffMs = SHORTEST_BACKOFF_MS;
        this.logger.warn(`${this.name} failed; it begins again in ${backoffMs / 1_000} s`, {
          role: this.name,
          error: messageOf(error),
        });
      }
      await sleep(this.clock, backoffMs, signal);
      backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
    }
  }

  /** Work that has to end may do so by rejecting. */
  private saidLast(error: unknown): void {
    this.logger.debug(`${this.name} was ended in the middle of something`, { error: messageOf(error) });
  }
}

/** Ends them all, and waits at most 5 s: a role that hangs must not keep the process from its end. */
export async function endRoles(roles: readonly Role[], clock: Clock, logger: EngineLogger): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    Promise.all(roles.map((role) => role.end())),
    sleep(clock, END_WITHIN_MS, patience.signal),
  ]);
  patience.abort();
  const hanging = roles.filter((role) => !role.hasEnded).map(({ name }) => name);
  if (hanging.length > 0) {
    logger.warn(`Not every role ended within ${END_WITHIN_MS} ms; the stop goes on without them`, {
      roles: hanging,
    });
  }
}
