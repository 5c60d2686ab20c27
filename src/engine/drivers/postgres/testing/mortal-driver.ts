import type { DriverFigures, OwnershipEvents, RunDriver } from '../../../ports/run-driver.js';
import type { RoleWork } from '../../../scheduling/role.js';

/** The driver of a process that may die: from then on its engine is notified of nothing. */
export class MortalDriver implements RunDriver {
  readonly shardCount: number;
  readonly isAlone: boolean;
  private isDead = false;

  constructor(private readonly driver: RunDriver) {
    this.shardCount = driver.shardCount;
    this.isAlone = driver.isAlone;
  }

  die(): void {
    this.isDead = true;
  }

  start(events: OwnershipEvents): Promise<void> {
    const { isIdle, look } = events;
    return this.driver.start({
      acquired: (shards, how) => {
        if (!this.isDead) events.acquired(shards, how);
      },
      release: (shard) => events.release(shard),
      lost: (shards) => {
        if (!this.isDead) events.lost(shards);
      },
      nudged: (runId) => {
        if (!this.isDead) events.nudged(runId);
      },
      ...(isIdle !== undefined && { isIdle: (shard) => isIdle.call(events, shard) }),
      ...(look !== undefined && {
        look: async (shards) => (this.isDead ? 0 : look.call(events, shards)),
      }),
    });
  }

  get replicaCount(): number {
    return this.driver.replicaCount ?? 1;
  }

  owns(runId: string): boolean {
    return this.driver.owns(runId);
  }

  shardForNewRun(): number {
    return this.driver.shardForNewRun();
  }

  nudge(runId: string): void {
    this.driver.nudge(runId);
  }

  role(name: string, work: RoleWork): void {
    this.driver.role(name, work);
  }

  isBarred(runId: string): boolean {
    return this.driver.isBarred?.(runId) ?? false;
  }

  leave(): void {
    this.driver.leave?.();
  }

  figures(): DriverFigures {
    return this.driver.figures?.() ?? { replicas: 1, shardsOwned: 0, shardsLost: 0, nudgesMissed: 0 };
  }

  stop(): Promise<void> {
    return this.driver.stop();
  }
}
