import { randomBytes, randomInt } from 'node:crypto';
import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import { shardOf } from '../../core/ids/shard.js';
import { LOG_REVISION } from '../../core/log/event-codec.js';
import { waitAtMost, type Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { DriverFigures, OwnershipEvents, RunDriver } from '../../ports/run-driver.js';
import type { RoleWork } from '../../scheduling/role.js';
import type { Anchor } from './ownership/anchor.js';
import { AnchorKeeper } from './ownership/anchor-keeper.js';
import type { Beat } from './ownership/beat.js';
import { Channels } from './notifications/channels.js';
import type { DatabaseClock } from './database-clock.js';
import { Looks } from './looks.js';
import { Notifications } from './notifications/notifications.js';
import { OwnedShards } from './ownership/owned-shards.js';
import { ReplicaLink } from './notifications/replica-link.js';
import { isReplicaName, isStoredRunId, messageOfText } from './notifications/replica-message.js';
import { RoleLocks } from './ownership/role-locks.js';
import type { DriverDatabase } from './session.js';
import { steadyClock } from './steady-clock.js';

const SHARDS = 64;
const START_WITHIN_MS = 60_000;
const NOBODY: ReadonlySet<number> = new Set();

export interface PostgresDriverOptions {
  readonly database: DriverDatabase;
  /** Notified of the database's time at each beat. */
  readonly clock: Pick<DatabaseClock, 'observe'>;
  /** Must not throw. */
  readonly logger: EngineLogger;
  /** 1 to 256, the same in all replicas. Default 64. */
  readonly shardCount?: number;
  /** Up to 32 lower-case letters and digits, another one in each process. Default: random. */
  readonly replica?: string;
  /** What this build may write into logs. Default: `LOG_REVISION`. */
  readonly logRevision?: number;
  /** By which beats, time-outs and back-offs are measured, and for how long a lock is believed in. Default: the machine's. */
  readonly steady?: Clock;
}

/** What there is from the start on. */
interface TakingPart {
  readonly events: OwnershipEvents;
  readonly shards: OwnedShards;
  readonly keeper: AnchorKeeper;
  readonly looks: Looks;
}

/**
 * One of many replicas on one PostgreSQL (decision 0109). Who is there, and who owns what, are locks of sessions: `anchor.ts` is this
 * replica's session, `owned-shards.ts` what is owned by it, `shard-plan.ts` which shards that should be, `role-locks.ts` the roles.
 *
 * 1. It owns what it holds locks for, as long as beats are answered: see `Anchor`. When the session ends, everything is lost at once,
 *    and acquired anew with the next one, from whoever does not have it.
 * 2. Every beat leads to at most one look at what to take, give up, and do; one that arrives meanwhile is made up for.
 * 3. Nothing here waits for a notification: each of them only makes sooner what a beat or a look does anyway.
 */
export class PostgresDriver implements RunDriver {
  readonly shardCount: number;
  readonly isAlone = false;
  /** For the watch of this replica. */
  readonly link: ReplicaLink;

  private readonly steady: Clock;
  private readonly notifications: Notifications;
  private readonly roles: RoleLocks;
  private hasStarted = false;
  private part: TakingPart | null = null;
  private stopping: Promise<void> | null = null;
  private isLeaving = false;
  private replicas = 1;
  /** Shards that a newer build may have written to, as of the last beat. */
  private barred: ReadonlySet<number> = NOBODY;
  private next: number;
  private isFollowing = false;
  private isBeatWanted = false;
  private readonly joined = Promise.withResolvers<void>();
  private hasJoined = false;

  constructor(private readonly options: PostgresDriverOptions) {
    const { database, logger, shardCount = SHARDS, steady = steadyClock } = options;
    const { replica = randomBytes(8).toString('hex') } = options;
    if (!isReplicaName(replica)) throw new TypeError(`${replica}: up to 32 lower-case letters and digits.`);
    this.shardCount = shardCount;
    this.steady = steady;
    this.notifications = new Notifications({ database, clock: steady, logger });
    this.link = new ReplicaLink(replica, this.notifications);
    this.roles = new RoleLocks({ clock: steady, logger });
    this.next = randomInt(shardCount);
  }

  get replicaCount(): number {
    return this.replicas;
  }

  /** Rejects with a `StoreError` when no session could be had within 60 s. */
  async start(events: OwnershipEvents): Promise<void> {
    if (this.hasStarted || this.stopping !== null)
      throw new Error('A driver starts once: make another one for another engine.');
    this.hasStarted = true;
    await this.options.database.opened;
    if (this.isStopping || this.isLeaving) return;
    const part = this.begin(events);
    this.part = part;
    part.keeper.start();
    part.looks.start();
    await waitAtMost(this.steady, START_WITHIN_MS, this.joined.promise);
    if (this.hasJoined || this.isStopping || this.isLeaving) return;
    await this.stop();
    throw new StoreError(
      `There was no session with the database within ${START_WITHIN_MS / 1_000} s: see whether it serves, and whether the URL of ` +
        `the session leads to it. ${part.keeper.lastTrouble ?? ''}`.trimEnd(),
    );
  }

  owns(runId: string): boolean {
    const { part } = this;
    if (part === null || !part.shards.has(shardOf(runId, this.shardCount))) return false;
    return part.keeper.current?.isAlive() === true;
  }

  shardForNewRun(): number {
    this.next += 1;
    const own = this.ownedShards();
    return own[this.next % own.length] ?? this.foreignShard();
  }

  nudge(runId: string): void {
    if (this.part === null || this.isStopping || !isStoredRunId(runId) || this.owns(runId)) return;
    this.link.toShard(shardOf(runId, this.shardCount), { type: 'nudge', runId });
  }

  /** Begins with `start`, or soon after it, where no other replica has it. */
  isBarred(runId: string): boolean {
    return this.barred.has(shardOf(runId, this.shardCount));
  }

  role(name: string, work: RoleWork): void {
    this.roles.add(name, work);
    const anchor = this.part?.keeper.current ?? null;
    if (anchor === null || this.isStopping) return;
    this.roles.fill(anchor, NOBODY).catch((error: unknown) => anchor.end(messageOf(error)));
  }

  leave(): void {
    if (this.isLeaving || this.isStopping) return;
    this.isLeaving = true;
    // Should the session end, there is nothing to open another one for.
    this.part?.keeper.stop();
    const anchor = this.part?.keeper.current ?? null;
    void this.leaveRoles(anchor);
    if (anchor === null) this.joined.resolve();
    if (anchor?.isAlive() !== true) return;
    anchor.leave().catch((error: unknown) => anchor.end(messageOf(error)));
    anchor.beat();
  }

  stop(): Promise<void> {
    this.stopping ??= this.giveEverythingBack();
    return this.stopping;
  }

  figures(): DriverFigures {
    const { part } = this;
    return {
      replicas: this.replicas,
      shardsOwned: this.ownedShards().length,
      shardsLost: part?.shards.lostSoFar ?? 0,
      nudgesMissed: this.notifications.nudgesLostSoFar + (part?.looks.foundSoFar ?? 0),
    };
  }

  /** Others do what this one did, while it waits for its units. Never rejects. */
  private async leaveRoles(anchor: Anchor | null): Promise<void> {
    const held = await this.roles.end();
    if (anchor?.isAlive() !== true) return;
    await anchor.unlock(held).catch((error: unknown) => anchor.end(messageOf(error)));
  }

  private get isStopping(): boolean {
    return this.stopping !== null;
  }

  private ownedShards(): readonly number[] {
    const { part } = this;
    return part?.keeper.current?.isAlive() === true ? part.shards.all : [];
  }

  /** One whose owner this build may write for, where there is any. */
  private foreignShard(): number {
    for (let tried = 0; tried < this.shardCount; tried += 1) {
      const shard = (this.next + tried) % this.shardCount;
      if (!this.barred.has(shard)) return shard;
    }
    return this.next % this.shardCount;
  }

  private begin(events: OwnershipEvents): TakingPart {
    const { database, logger, logRevision = LOG_REVISION } = this.options;
    const channels = new Channels(database.lockSpace);
    this.link.begin(channels);
    const looks = new Looks({
      clock: this.steady,
      logger,
      owned: () => this.ownedShards(),
      look: async (shards) => (await events.look?.(shards)) ?? 0,
    });
    const shards = new OwnedShards({
      shardCount: this.shardCount,
      logRevision,
      channels,
      events,
      logger,
      from: this.next,
      listening: (taken) => looks.at(taken),
    });
    const keeper = new AnchorKeeper({
      database,
      channels,
      replica: this.link.replica,
      logRevision,
      clock: this.steady,
      logger,
      beaten: (anchor, beat) => this.beaten(anchor, beat),
      heard: (payload) => this.heard(payload),
      ended: () => {
        shards.lose();
        this.roles.lose();
      },
    });
    return { events, shards, keeper, looks };
  }

  private beaten(anchor: Anchor, beat: Beat): void {
    const { part } = this;
    this.replicas = Math.max(1, beat.replicas);
    this.barred = beat.barred;
    this.options.clock.observe(beat);
    part?.keeper.wasHeard();
    if (part === null || this.isStopping) return;
    if (this.isFollowing) {
      this.isBeatWanted = true;
      return;
    }
    this.isFollowing = true;
    void this.follow(part, anchor, beat);
  }

  /** Never rejects. */
  private async follow(part: TakingPart, anchor: Anchor, beat: Beat): Promise<void> {
    try {
      // It may have been requested before there was a session.
      if (this.isLeaving) await anchor.leave();
      await part.shards.follow(anchor, beat, this.isLeaving);
      await this.roles.fill(anchor, beat.others);
      if (!this.hasJoined) await part.shards.listening;
      if (anchor.isAlive()) {
        this.hasJoined = true;
        this.joined.resolve();
      }
    } catch (error) {
      anchor.end(messageOf(error));
    }
    this.isFollowing = false;
    if (!this.isBeatWanted) return;
    this.isBeatWanted = false;
    part.keeper.current?.beat();
  }

  /** Must not throw: it is called by the connection. */
  private heard(payload: string): void {
    const { part } = this;
    const message = messageOfText(payload);
    if (message === null || part === null || this.isStopping) return;
    try {
      if (message.type === 'freed') {
        if (message.replica !== this.link.replica) part.keeper.current?.beat();
        return;
      }
      // Those who wait here look at the store, and need not wait until the run has been looked at.
      this.link.heard(message);
      if (message.type === 'nudge' && this.owns(message.runId)) part.events.nudged(message.runId);
    } catch (error) {
      this.options.logger.error('A notification could not be followed; what it is about is looked for', {
        error: messageOf(error),
      });
    }
  }

  private async giveEverythingBack(): Promise<void> {
    const { part } = this;
    const { logger } = this.options;
    this.joined.resolve();
    part?.keeper.stop();
    part?.looks.stop();
    const anchor = part?.keeper.current ?? null;
    const [held] = await Promise.all([
      this.roles.end(),
      part?.shards.giveBack(anchor).catch((error: unknown) => {
        logger.warn('Shards could not be given back; their next owners take them over as after a crash', {
          error: messageOf(error),
        });
      }),
    ]);
    this.link.end();
    if (anchor === null) return;
    // The others are notified once the locks are free, which the end of the session would not do.
    if (anchor.isAlive()) await anchor.unlock(held).catch(() => undefined);
    anchor.end('The engine stops');
    await anchor.closed();
  }
}
