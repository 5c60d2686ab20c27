import { laneOf } from '../../core/lane.js';
import { Role } from '../../drivers/local/role.js';
import type { Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunDriver } from '../../ports/run-driver.js';
import { SILENT } from '../../runtime/logger.js';
import { systemClock } from '../../runtime/system-clock.js';
import { SharedDriver, type Ownership } from './shared-driver.js';

/** A lane belongs to somebody, is on its way (nobody owns it), or is free, let go of or left behind by the dead. */
type Lane =
  | { readonly owner: SharedDriver }
  | { readonly owner: null; readonly isOnItsWay: boolean; readonly clean: boolean };

export interface SharedOwnershipOptions {
  readonly laneCount: number;
  /** For the back-off of roles. Default: the system's. */
  readonly clock?: Clock;
  readonly logger?: EngineLogger;
}

/**
 * Who owns which lane, for tests that let several engines work on one store as several processes would. The first
 * driver that starts gets every lane; a test moves them from there.
 *
 * 1. A lane has at most one owner, and none while it moves.
 * 2. Whoever stopped or died is never called again.
 */
export class SharedOwnership implements Ownership {
  readonly laneCount: number;
  private readonly lanes: Lane[];
  private readonly drivers = new Map<string, SharedDriver>();
  private readonly roles = new Map<string, { readonly holder: SharedDriver; readonly role: Role }>();
  private readonly clock: Clock;
  private readonly logger: EngineLogger;

  constructor({ laneCount, clock = systemClock, logger = SILENT }: SharedOwnershipOptions) {
    this.laneCount = laneCount;
    this.clock = clock;
    this.logger = logger;
    this.lanes = Array.from({ length: laneCount }, () => ({ owner: null, isOnItsWay: false, clean: false }));
  }

  /** The driver for the process of that name; not two of one name. */
  driver(name: string): RunDriver {
    if (this.drivers.has(name)) throw new Error(`There is a driver ${name} already: choose another name.`);
    const driver = new SharedDriver(name, this);
    this.drivers.set(name, driver);
    return driver;
  }

  lanesOf(name: string): readonly number[] {
    const driver = this.drivers.get(name);
    return driver === undefined ? [] : this.lanesWhere(({ owner }) => owner === driver);
  }

  /** A planned hand-over: resolves when the new owner has the lane. */
  async move(lane: number, from: string, to: string): Promise<void> {
    const giver = this.ownerOf(lane, from);
    const taker = this.living(to);
    this.lanes[lane] = { owner: null, isOnItsWay: true, clean: false };
    await Promise.race([giver.events?.release(lane), giver.died]);
    const clean = giver.events !== null;
    this.lanes[lane] = { owner: null, isOnItsWay: false, clean };
    if (taker.events === null) this.giveAway([lane]);
    else this.give([lane], taker);
  }

  /** Moves lanes until everybody who lives has as many as the others. */
  async spread(): Promise<void> {
    const living = this.alive();
    for (let lane = 0; lane < this.laneCount; lane += 1) {
      const { owner } = this.laneAt(lane);
      const taker = living[lane % living.length];
      if (owner === null || taker === undefined || owner === taker) continue;
      await this.move(lane, owner.name, taker.name);
    }
  }

  /** A lane goes to another without a hand-over, and its owner learns that: a lock that was lost. */
  lose(lane: number, from: string, to: string): void {
    const giver = this.ownerOf(lane, from);
    const taker = this.living(to);
    this.lanes[lane] = { owner: null, isOnItsWay: false, clean: false };
    giver.events?.lost([lane]);
    this.give([lane], taker);
  }

  /** The process dies: it is told nothing, and the others get what it had. */
  kill(name: string): void {
    const driver = this.living(name);
    driver.die();
    void this.leaveBehind(driver, false);
  }

  join(driver: SharedDriver): void {
    this.give(
      this.lanesWhere((lane) => lane.owner === null && !lane.isOnItsWay),
      driver,
    );
    this.fillRoles();
  }

  async leave(driver: SharedDriver): Promise<void> {
    driver.die();
    await this.leaveBehind(driver, true);
  }

  isOwner(driver: SharedDriver, runId: string): boolean {
    return this.laneAt(laneOf(runId, this.laneCount)).owner === driver;
  }

  nudge(sender: SharedDriver, runId: string): void {
    if (sender.events === null || this.isOwner(sender, runId)) return;
    setImmediate(() => this.laneAt(laneOf(runId, this.laneCount)).owner?.events?.nudged(runId));
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
    const left = this.lanesWhere(({ owner }) => owner === driver);
    for (const lane of left) this.lanes[lane] = { owner: null, isOnItsWay: false, clean };
    this.giveAway(left);
    const held = [...this.roles].filter(([, { holder }]) => holder === driver);
    for (const [name, { role }] of held) {
      const ended = role.end();
      // The dead do not say when they are done.
      if (clean) await ended;
      this.roles.delete(name);
    }
    this.fillRoles();
  }

  private giveAway(lanes: readonly number[]): void {
    const living = this.alive();
    living.forEach((taker, place) =>
      this.give(
        lanes.filter((_, index) => index % living.length === place),
        taker,
      ),
    );
  }

  private give(lanes: readonly number[], taker: SharedDriver): void {
    for (const clean of [true, false]) {
      const given = lanes.filter((lane) => {
        const state = this.laneAt(lane);
        return state.owner === null && state.clean === clean;
      });
      if (given.length === 0) continue;
      for (const lane of given) this.lanes[lane] = { owner: taker };
      taker.events?.acquired(given, { clean });
    }
  }

  private alive(): readonly SharedDriver[] {
    return [...this.drivers.values()].filter(({ events }) => events !== null);
  }

  private lanesWhere(isSo: (lane: Lane) => boolean): readonly number[] {
    return this.lanes.flatMap((lane, index) => (isSo(lane) ? [index] : []));
  }

  private laneAt(lane: number): Lane {
    const state = this.lanes[lane];
    if (state === undefined) throw new Error(`There is no lane ${lane}: they count from 0.`);
    return state;
  }

  private living(name: string): SharedDriver {
    const driver = this.drivers.get(name);
    if (driver === undefined || driver.events === null)
      throw new Error(`${name} does not take part: start its engine first.`);
    return driver;
  }

  private ownerOf(lane: number, name: string): SharedDriver {
    const driver = this.living(name);
    if (this.laneAt(lane).owner !== driver) throw new Error(`Lane ${lane} is not ${name}'s: see lanesOf.`);
    return driver;
  }
}
