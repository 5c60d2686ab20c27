import { sleep, type Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import { Role, type RoleWork } from './role.js';

/** As many as a driver for several processes might want: ids that were made here stay well spread there. */
const SHARDS = 64;
const STOP_WITHIN_MS = 5_000;

export interface LocalDriverOptions {
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/** This process is alone with its store: it owns every shard and holds every role from `start` to `stop`. */
export class LocalDriver implements RunDriver {
  readonly shardCount = SHARDS;
  readonly isAlone = true;

  private isTakingPart = false;
  private shard = 0;
  private readonly works = new Map<string, RoleWork>();
  private roles: readonly Role[] = [];
  private stopping: Promise<void> | null = null;

  constructor(private readonly options: LocalDriverOptions) {}

  async start(events: OwnershipEvents): Promise<void> {
    if (this.isTakingPart || this.stopping !== null)
      throw new Error('A driver starts once: make another one for another engine.');
    this.isTakingPart = true;
    events.acquired(
      Array.from({ length: SHARDS }, (_, shard) => shard),
      { clean: false },
    );
    for (const [name, work] of this.works) this.begin(name, work);
  }

  owns(): boolean {
    return this.isTakingPart;
  }

  shardForNewRun(): number {
    this.shard = (this.shard + 1) % SHARDS;
    return this.shard;
  }

  /** Whatever was appended, this process did it. */
  nudge(): void {}

  /** Begins with `start`, or at once after it. */
  role(name: string, work: RoleWork): void {
    if (this.works.has(name)) throw new Error(`There is a role ${name} already: give this one another name.`);
    this.works.set(name, work);
    if (this.isTakingPart) this.begin(name, work);
  }

  stop(): Promise<void> {
    this.isTakingPart = false;
    this.stopping ??= this.endRoles();
    return this.stopping;
  }

  private begin(name: string, work: RoleWork): void {
    this.roles = [...this.roles, new Role(name, work, this.options.clock, this.options.logger)];
  }

  /** A role that hangs must not keep the process from its end. */
  private async endRoles(): Promise<void> {
    const { clock, logger } = this.options;
    const patience = new AbortController();
    await Promise.race([
      Promise.all(this.roles.map((role) => role.end())),
      sleep(clock, STOP_WITHIN_MS, patience.signal),
    ]);
    patience.abort();
    const hanging = this.roles.filter((role) => !role.hasEnded).map(({ name }) => name);
    if (hanging.length > 0) {
      logger.warn(`Not every role ended within ${STOP_WITHIN_MS} ms; the stop goes on without them`, {
        roles: hanging,
      });
    }
  }
}
