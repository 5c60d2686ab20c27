import { shardOf } from '../../core/ids/shard.js';
import { Role } from '../../scheduling/role.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunDriver } from '../../ports/run-driver.js';
import { SILENT } from '../../runtime/logger.js';
import { systemClock } from '../../runtime/system-clock.js';
import { SharedDriver, type Ownership } from './shared-driver.js';

/** A shard has an owner, is moving (nobody owns it), or is free: released, or left behind by a process that died. */
type Shard =
  | { readonly owner: SharedDriver }
  | { readonly owner: null; readonly isOnItsWay: boolean; readonly clean: boolean };

export interface SharedOwnershipOptions {
  readonly shardCount: number;
  /** For the back-off of roles. Default: the system's. */
  readonly clock?: Clock;
  readonly logger?: EngineLogger;
}

/**
 * Which process owns which shard, for tests that let several engines work on one store as several processes would. The first
 * driver that starts gets every shard; a test moves them from there.
 *
 * 1. A shard has at most one owner, and none while it moves.
 * 2. A driver that stopped or died is never called again.
 */
export class SharedOwnership implements Ownership {
  readonly shardCount: number;
  private readonly shards: Shard[];
  private readonly drivers = new Map<string, SharedDriver>();
  private readonly roles = new Map<string, { readonly holder: SharedDriver; readonly role: Role }>();
  private readonly clock: Clock;
  private readonly logger: EngineLogger;

  constructor({ shardCount, clock = systemClock, logger = SILENT }: SharedOwnershipOptions) {
    this.shardCount = shardCount;
    this.clock = clock;
    this.logger = logger;
    this.shards = Array.from({ length: shardCount }, () => ({
      owner: null,
      isOnItsWay: false,
      clean: false,
    }));
  }

  /** The driver for the process of that name; not two of one name. */
  driver(name: string): RunDriver {
    if (this.drivers.has(name)) throw new Error(`There is a driver ${name} already: choose another name.`);
    const driver = new SharedDriver(name, this);
    this.drivers.set(name, driver);
    return driver;
  }

  shardsOf(name: string): readonly number[] {
    const driver = this.drivers.get(name);
    return driver === undefined ? [] : this.shardsWhere(({ owner }) => owner === driver);
  }

  /** A planned hand-over: resolves when the new owner has the shard. */
  async move(shard: number, from: string, to: string): Promise<void> {
    const giver = this.ownerOf(shard, from);
    const taker = this.living(to);
    this.shards[shard] = { owner: null, isOnItsWay: true, clean: false };
    await Promise.race([giver.events?.release(shard), giver.died]);
    const clean = giver.events !== null;
    this.shards[shard] = { owner: null, isOnItsWay: false, clean };
    if (taker.events === null) this.giveAway([shard]);
    else this.give([shard], taker);
  }

  /** Moves shards until they are spread evenly over all living drivers. */
  async spread(): Promise<void> {
    const living = this.alive();
    for (let shard = 0; shard < this.shardCount; shard += 1) {
      const { owner } = this.shardAt(shard);
      const taker = living[shard % living.length];
      if (owner === null || taker === undefined || owner === taker) continue;
      await this.move(shard, owner.name, taker.name);
    }
  }

  /** Moves a shard without a hand-over, of which its owner is notified: a lock that was lost. */
  lose(shard: number, from: string, to: string): void {
    const giver = this.ownerOf(shard, from);
    const taker = this.living(to);
    this.shards[shard] = { owner: null, isOnItsWay: false, clean: false };
    giver.events?.lost([shard]);
    this.give([shard], taker);
  }

  /** Nudges may have been lost: the process looks for them. Resolves with how many runs it found. */
  async look(name: string): Promise<number> {
    return (await this.living(name).events?.look?.(this.shardsOf(name))) ?? 0;
  }

  /** The process dies: it is notified of nothing, and the others get its shards. */
  kill(name: string): void {
    const driver = this.living(name);
    driver.die();
    void this.leaveBehind(driver, false);
  }

  join(driver: SharedDriver): void {
    this.give(
      this.shardsWhere((shard) => shard.owner === null && !shard.isOnItsWay),
      driver,
    );
    this.fillRoles();
  }

  async leave(driver: SharedDriver): Promise<void> {
    driver.die();
    await this.leaveBehind(driver, true);
  }

  isOwner(driver: SharedDriver, runId: string): boolean {
    return this.shardAt(shardOf(runId, this.shardCount)).owner === driver;
  }

  nudge(sender: SharedDriver, runId: string): void {
    if (sender.events === null || this.isOwner(sender, runId)) return;
    setImmediate(() => this.shardAt(shardOf(runId, this.shardCount)).owner?.events?.nudged(runId));
  }

  fillRoles(): void {
    for (const holder of this.alive()) {
      for (const [name, work] of holder.works) {
        if (this.roles.has(name)) continue;
        this.roles.set(name, { holder, role: new Role(name, work, this.clock, this.logger) });
      }
    }
  }

  private async leaveBehind(driver: SharedDriver, clean: boolean): Promise<void> {
    const left = this.shardsWhere(({ owner }) => owner === driver);
    for (const shard of left) this.shards[shard] = { owner: null, isOnItsWay: false, clean };
    this.giveAway(left);
    const held = [...this.roles].filter(([, { holder }]) => holder === driver);
    for (const [name, { role }] of held) {
      const ended = role.end();
      // A dead process does not report when its role has ended.
      if (clean) await ended;
      this.roles.delete(name);
    }
    this.fillRoles();
  }

  private giveAway(shards: readonly number[]): void {
    const living = this.alive();
    living.forEach((taker, position) =>
      this.give(
        shards.filter((_, index) => index % living.length === position),
        taker,
      ),
    );
  }

  private give(shards: readonly number[], taker: SharedDriver): void {
    for (const clean of [true, false]) {
      const given = shards.filter((shard) => {
        const state = this.shardAt(shard);
        return state.owner === null && state.clean === clean;
      });
      if (given.length === 0) continue;
      for (const shard of given) this.shards[shard] = { owner: taker };
      taker.events?.acquired(given, { clean });
    }
  }

  private alive(): readonly SharedDriver[] {
    return [...this.drivers.values()].filter(({ events }) => events !== null);
  }

  private shardsWhere(isSo: (shard: Shard) => boolean): readonly number[] {
    return this.shards.flatMap((shard, index) => (isSo(shard) ? [index] : []));
  }

  private shardAt(shard: number): Shard {
    const state = this.shards[shard];
    if (state === undefined) throw new Error(`There is no lane ${shard}: they count from 0.`);
    return state;
  }

  private living(name: string): SharedDriver {
    const driver = this.drivers.get(name);
    if (driver === undefined || driver.events === null)
      throw new Error(`${name} does not take part: start its engine first.`);
    return driver;
  }

  private ownerOf(shard: number, name: string): SharedDriver {
    const driver = this.living(name);
    if (this.shardAt(shard).owner !== driver) throw new Error(`Lane ${shard} is not ${name}'s: see lanesOf.`);
    return driver;
  }
}
