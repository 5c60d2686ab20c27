import type { RoleWork } from '../../scheduling/role.js';
import type { OwnershipEvents, RunDriver } from '../../ports/run-driver.js';

/** What a driver needs of the ownership that it shares. */
export interface Ownership {
  readonly shardCount: number;
  join(driver: SharedDriver): void;
  leave(driver: SharedDriver): Promise<void>;
  isOwner(driver: SharedDriver, runId: string): boolean;
  shardsOf(name: string): readonly number[];
  nudge(sender: SharedDriver, runId: string): void;
  fillRoles(): void;
}

/** The part of one process of a test in a `SharedOwnership`. */
export class SharedDriver implements RunDriver {
  readonly shardCount: number;
  readonly isAlone = false;
  readonly works = new Map<string, RoleWork>();
  /** Set from `start` until it stops or dies: only then may it be called. */
  events: OwnershipEvents | null = null;

  private started = 0;
  private stopping: Promise<void> | null = null;
  private readonly death = Promise.withResolvers<void>();

  constructor(
    readonly name: string,
    private readonly ownership: Ownership,
  ) {
    this.shardCount = ownership.shardCount;
  }

  /** Resolves when it dies; never, if it does not. */
  get died(): Promise<void> {
    return this.death.promise;
  }

  async start(events: OwnershipEvents): Promise<void> {
    if (this.events !== null || this.stopping !== null)
      throw new Error(`${this.name} was started before: ask the ownership for a driver of another name.`);
    this.events = events;
    this.ownership.join(this);
  }

  owns(runId: string): boolean {
    return this.ownership.isOwner(this, runId);
  }

  shardForNewRun(): number {
    const own = this.ownership.shardsOf(this.name);
    this.started += 1;
    return own[this.started % own.length] ?? this.started % this.shardCount;
  }

  nudge(runId: string): void {
    this.ownership.nudge(this, runId);
  }

  role(name: string, work: RoleWork): void {
    if (this.works.has(name)) throw new Error(`There is a role ${name} already: give this one another name.`);
    this.works.set(name, work);
    this.ownership.fillRoles();
  }

  stop(): Promise<void> {
    this.stopping ??= this.ownership.leave(this);
    return this.stopping;
  }

  /** From now on its calls count for nothing, and it is notified of nothing. */
  die(): void {
    this.events = null;
    this.stopping ??= Promise.resolve();
    this.death.resolve();
  }
}
