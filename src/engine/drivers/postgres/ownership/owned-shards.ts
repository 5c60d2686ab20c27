import { messageOf } from '../../../../errors/flowgate-error.js';
import type { EngineLogger } from '../../../ports/logger.js';
import type { OwnershipEvents } from '../../../ports/run-driver.js';
import type { Anchor } from './anchor.js';
import type { Beat } from './beat.js';
import type { Channels } from '../notifications/channels.js';
import { shardKey, shardOfKey } from './lock-keys.js';
import { planShards } from './shard-plan.js';
import { MARK_IN_USE, NOTE_CLEAN } from '../statements.js';

/**
 * For so long after a session has begun a replica has the share that it had in the one before: where all sessions ended at once, as
 * with a server that restarts, the first that is back would take everything, and have to give most of it back.
 */
const OTHERS_RETURN_WITHIN_MS = 1_500;

export interface OwnedShardsOptions {
  readonly shardCount: number;
  readonly logRevision: number;
  readonly channels: Channels;
  readonly events: OwnershipEvents;
  readonly logger: EngineLogger;
  /** See `ShardView.from`. */
  readonly from: number;
  /** Notifications for the owner of these shards arrive from now on; those before were lost. */
  readonly listening: (shards: readonly number[]) => void;
}

/** A shard of which nothing is in flight any more, and whose lock is still held. */
interface Released {
  readonly anchor: Anchor;
  readonly shard: number;
  readonly isClean: boolean;
}

/**
 * The shards that this replica owns, and how they come and go.
 *
 * 1. A shard is owned once its lock is held and it is noted as in use, until its release begins or the session is over. Whether the
 *    session lives is for the caller to see.
 * 2. It is noted as clean while the lock is still held, after a release that went well, or at the planned end: so the next owner
 *    reads it, and who dies leaves it noted as in use.
 * 3. A shard that is being released is not taken again before that is over, by whatever session.
 */
export class OwnedShards {
  /** With the number of the last beat that was sent before. */
  private readonly owned = new Map<number, number>();
  /** `draining`: the engine still has work of it. `returning`: its lock is about to be given back. */
  private readonly leaving = new Map<number, 'draining' | 'returning'>();
  private inOrder: readonly number[] = [];
  private isOver = false;
  private lost = 0;
  private isTakingInVain = false;
  /** What was being taken last. Never rejects. */
  private taking: Promise<void> = Promise.resolve();
  private newestListening: Promise<void> = Promise.resolve();
  /** How many shared the shards at the last beat. */
  private lastPeers = 0;
  /** How many at the last beat of the session before; 0: there was none. */
  private peersBefore = 0;
  /** Whose locks are to be given back; they go back together, as each statement is one for which the beats wait. */
  private returning: Released[] = [];
  private isReturning = false;

  constructor(private readonly options: OwnedShardsOptions) {}

  has(shard: number): boolean {
    return this.owned.has(shard);
  }

  /** What is owned, in order. */
  get all(): readonly number[] {
    return this.inOrder;
  }

  /** How many became foreign without a release. */
  get lostSoFar(): number {
    return this.lost;
  }

  /** Resolves when the owner of what was taken up to now is notified. Never rejects. */
  get listening(): Promise<void> {
    return this.newestListening;
  }

  /** Takes and gives up what follows from the beat. Rejects as the session does. One at a time. */
  async follow(anchor: Anchor, beat: Beat, isLeaving: boolean): Promise<void> {
    if (this.isOver || !anchor.isAlive()) return;
    const { shardCount, events, from } = this.options;
    this.loseUnheld(beat);
    const isSettled = anchor.ageMs >= OTHERS_RETURN_WITHIN_MS;
    const peers = isSettled ? beat.peers : Math.max(beat.peers, this.peersBefore);
    this.lastPeers = beat.peers;
    const { take, giveUp } = planShards({
      shardCount,
      replicas: peers,
      owned: this.inOrder,
      leaving: this.leaving.size,
      free: this.freeIn(beat),
      isLeaving,
      isIdle: (shard) => events.isIdle?.(shard) ?? false,
      from,
    });
    for (const shard of giveUp) void this.giveUp(anchor, shard);
    if (take.length === 0) return;
    const taking = this.take(anchor, take);
    this.taking = taking.catch(() => undefined);
    await taking;
  }

  /** The session is over. */
  lose(): void {
    this.peersBefore = this.lastPeers;
    const draining = [...this.leaving].filter(([, state]) => state === 'draining').map(([shard]) => shard);
    this.loseThese([...this.inOrder, ...draining]);
  }

  /** The planned end: the engine has stopped already. Rejects as the session does. */
  async giveBack(anchor: Anchor | null): Promise<void> {
    this.isOver = true;
    await this.taking;
    // Of those that are returning the lock may be somebody else's by now.
    const draining = [...this.leaving].filter(([, state]) => state === 'draining').map(([shard]) => shard);
    const shards = [...this.inOrder, ...draining];
    this.owned.clear();
    this.changed();
    if (anchor === null || !anchor.isAlive()) return;
    await anchor.leave();
    if (shards.length === 0) return;
    await this.noteClean(anchor, shards);
    await anchor.unlock(shards.map(shardKey));
  }

  /** A lock that was unlocked by something else, or another connection's: only a shard held before the beat can be missing. */
  private loseUnheld(beat: Beat): void {
    const unheld = [...this.owned].filter(
      ([shard, at]) => at < beat.number && !beat.own.has(shardKey(shard)),
    );
    if (unheld.length > 0) this.loseThese(unheld.map(([shard]) => shard));
  }

  private loseThese(shards: readonly number[]): void {
    for (const shard of shards) this.owned.delete(shard);
    this.changed();
    if (shards.length === 0 || this.isOver) return;
    this.lost += shards.length;
    this.options.logger.warn('Shards were lost: their runs go on at whoever has them next', { shards });
    this.options.events.lost(shards);
  }

  private freeIn({ own, others, barred }: Beat): readonly number[] {
    return Array.from({ length: this.options.shardCount }, (_, shard) => shard).filter((shard) => {
      const key = shardKey(shard);
      return !own.has(key) && !others.has(key) && !barred.has(shard) && !this.leaving.has(shard);
    });
  }

  private async take(anchor: Anchor, wanted: readonly number[]): Promise<void> {
    const { logRevision, logger, events } = this.options;
    const locked = (await anchor.tryLocks(wanted.map(shardKey))).map(shardOfKey);
    if (locked.length === 0) return;
    if (this.isOver) return anchor.unlockQuietly(locked.map(shardKey));
    const wasClean = new Map<number, boolean>();
    try {
      for (const row of await anchor.query(MARK_IN_USE, [locked, logRevision])) {
        wasClean.set(Number(row['shard']), row['was_clean'] === true);
      }
    } catch (error) {
      const fields = { error: messageOf(error) };
      if (!this.isTakingInVain) logger.warn('Shards could not be taken; it is tried again', fields);
      this.isTakingInVain = true;
    }
    // Some of them, or all, cannot be noted, or are not for this build.
    await anchor.unlockQuietly(locked.filter((shard) => !wasClean.has(shard)).map(shardKey));
    if (wasClean.size === 0 || !anchor.isAlive()) return;
    if (this.isOver) return this.takenInVain(anchor, wasClean);
    this.isTakingInVain = false;
    for (const clean of [true, false]) {
      const shards = [...wasClean].filter(([, was]) => was === clean).map(([shard]) => shard);
      if (shards.length === 0) continue;
      for (const shard of shards) this.owned.set(shard, anchor.beatsSent);
      this.changed();
      events.acquired(shards, { clean });
    }
    this.newestListening = this.listenTo(anchor, [...wasClean.keys()]);
  }

  /** Nothing was done with them: who takes them next has as little to take over as was there. */
  private async takenInVain(anchor: Anchor, wasClean: ReadonlyMap<number, boolean>): Promise<void> {
    const clean = [...wasClean].filter(([, was]) => was).map(([shard]) => shard);
    if (clean.length > 0) await this.noteClean(anchor, clean);
    await anchor.unlock([...wasClean.keys()].map(shardKey));
  }

  /** Never rejects. */
  private async giveUp(anchor: Anchor, shard: number): Promise<void> {
    this.owned.delete(shard);
    this.changed();
    this.leaving.set(shard, 'draining');
    const isClean = await this.isReleased(shard);
    if (this.isOver || !anchor.isAlive()) {
      this.leaving.delete(shard);
      return;
    }
    this.leaving.set(shard, 'returning');
    this.returning.push({ anchor, shard, isClean });
    if (this.isReturning) return;
    this.isReturning = true;
    await this.returnAll();
    this.isReturning = false;
  }

  /** Never rejects. */
  private async returnAll(): Promise<void> {
    // What was idle is released by the same callback.
    await Promise.resolve();
    for (let next = this.returning[0]; next !== undefined; next = this.returning[0]) {
      const { anchor } = next;
      const batch = this.returning.filter((released) => released.anchor === anchor);
      this.returning = this.returning.filter((released) => released.anchor !== anchor);
      await this.returnThese(anchor, batch);
      for (const { shard } of batch) this.leaving.delete(shard);
      // There may be more to give up.
      anchor.beat();
    }
  }

  /** Never rejects. */
  private async returnThese(anchor: Anchor, released: readonly Released[]): Promise<void> {
    const shards = released.map(({ shard }) => shard);
    const clean = released.filter(({ isClean }) => isClean).map(({ shard }) => shard);
    try {
      if (clean.length > 0) await this.noteClean(anchor, clean);
      await anchor.unlock(shards.map(shardKey));
      await anchor.unlistenTo(shards.map((shard) => this.options.channels.ofShard(shard)));
    } catch (error) {
      // What it holds without owning it, nobody else could take.
      anchor.end(messageOf(error));
    }
  }

  /** Rejects only where the session is over: shards that could not be noted are taken over as after a crash, which costs little. */
  private async noteClean(anchor: Anchor, shards: readonly number[]): Promise<void> {
    const { logRevision, logger } = this.options;
    try {
      await anchor.query(NOTE_CLEAN, [shards, logRevision]);
    } catch (error) {
      if (!anchor.isAlive()) throw error;
      logger.warn(
        'Shards could not be noted as released; their next owners take them over as after a crash',
        {
          shards,
          error: messageOf(error),
        },
      );
    }
  }

  private async isReleased(shard: number): Promise<boolean> {
    const { events, logger } = this.options;
    try {
      await events.release(shard);
      return true;
    } catch (error) {
      logger.error('A shard could not be released; its next owner takes it over as after a crash', {
        shard,
        error: messageOf(error),
      });
      return false;
    }
  }

  /** Never rejects. */
  private async listenTo(anchor: Anchor, shards: readonly number[]): Promise<void> {
    const { channels, listening } = this.options;
    try {
      await anchor.listenTo(shards.map((shard) => channels.ofShard(shard)));
      listening(shards);
    } catch (error) {
      anchor.end(messageOf(error));
    }
  }

  private changed(): void {
    this.inOrder = [...this.owned.keys()].sort((a, b) => a - b);
  }
}
