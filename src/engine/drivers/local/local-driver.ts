import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import { endRoles, Role, type RoleWork } from '../../scheduling/role.js';

/** As many as a driver for several processes might want: ids that were made here stay well spread there. */
const SHARDS = 64;

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
    this.stopping ??= endRoles(this.roles, this.options.clock, this.options.logger);
    return this.stopping;
  }

  private begin(name: string, work: RoleWork): void {
    this.roles = [...this.roles, new Role(name, work, this.options.clock, this.options.logger)];
  }
}
