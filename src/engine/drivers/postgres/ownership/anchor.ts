import { messageOf } from '../../../../errors/flowgate-error.js';
import { StoreError } from '../../../../errors/service-errors.js';
import { sleep, type CancelTimer, type Clock } from '../../../ports/clock.js';
import { beatOf, type Beat } from './beat.js';
import type { Channels } from '../notifications/channels.js';
import { PRESENCE_KEY, REVISION_KEYS_END, revisionKey } from './lock-keys.js';
import type { DriverDatabase, Session, SessionRow, SessionValue } from '../session.js';
import {
  BEAT,
  BEGIN_SESSION,
  LEAVE,
  listenTo,
  TRY_LOCKS,
  unlistenTo,
  UNLOCK,
  UNLOCK_QUIETLY,
} from '../statements.js';

const BEAT_EVERY_MS = 500;
/**
 * For so long after the last answered beat was sent a replica believes that it owns what it holds. The server ends a session that
 * is silent for longer than that (`BEGIN_SESSION`): what is between the two is for clocks that do not run alike.
 */
const HOLDS_FOR_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;
const OPEN_WITHIN_MS = 3_000;
/** How long a database that is silent may delay the end. */
const END_WITHIN_MS = 1_000;

export interface AnchorOptions {
  readonly database: DriverDatabase;
  readonly channels: Channels;
  /** The name of this replica. */
  readonly replica: string;
  readonly logRevision: number;
  /** A steady one. */
  readonly clock: Clock;
  readonly beaten: (anchor: Anchor, beat: Beat) => void;
  readonly heard: (payload: string) => void;
}

/**
 * The session on which the locks of this replica are, from its beginning to its end: what holds it in its place.
 *
 * 1. It is alive from the first answered beat on, until 2 s after the last answered one was sent. That is looked at whenever
 *    somebody asks: a process that stood still knows it before any timer fires.
 * 2. Once it is over it is never alive again, whatever is answered later: all that waits rejects, and another session follows.
 * 3. At most one beat is under way.
 */
export class Anchor {
  private readonly ending = Promise.withResolvers<string>();
  private readonly openedAt: number;
  private readonly waiting = new Set<(error: Error) => void>();
  /** Why it is over; null: it is not. */
  private reason: string | null = null;
  private aliveUntil: number | null = null;
  private isPresent = true;
  private beats = 0;
  private isBeating = false;
  private isBeatWanted = false;
  private cancelNext: CancelTimer = () => undefined;
  private cancelExpiry: CancelTimer = () => undefined;
  private closing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly session: Session,
    private readonly options: AnchorOptions,
  ) {
    this.openedAt = options.clock.now();
    session.onNotification((_channel, payload) => {
      if (this.reason === null) options.heard(payload);
    });
    void session.ended.then((reason) => this.end(reason));
  }

  /** Opens a session that is counted and is notified, but does not beat yet. Rejects where the database is silent, too. */
  static async open(options: AnchorOptions): Promise<Anchor> {
    const anchor = new Anchor(await sessionOf(options), options);
    try {
      await anchor.begin();
      return anchor;
    } catch (error) {
      anchor.end(messageOf(error));
      throw error;
    }
  }

  /** Resolves, never rejects, with the reason. */
  get ended(): Promise<string> {
    return this.ending.promise;
  }

  /** How long ago its session was opened, in ms. */
  get ageMs(): number {
    return this.options.clock.now() - this.openedAt;
  }

  /** How many beats were sent. */
  get beatsSent(): number {
    return this.beats;
  }

  /** Ends it where it is found to be too old. */
  isAlive(): boolean {
    if (this.reason !== null || this.aliveUntil === null) return false;
    if (this.options.clock.now() < this.aliveUntil) return true;
    this.end(`The database answered no beat for ${HOLDS_FOR_MS} ms, or this process stood still for as long`);
    return false;
  }

  /** Beats now, and from now on. Where a beat is under way: again once that is answered. */
  beat(): void {
    if (this.isBeating) this.isBeatWanted = true;
    else if (this.reason === null && (this.aliveUntil === null || this.isAlive())) void this.beatNow();
  }

  /** One statement. Rejects after 2 s, which ends the session, and as soon as that is over. */
  query(sql: string, values: readonly SessionValue[] = []): Promise<readonly SessionRow[]> {
    return this.answered(() => this.session.query(sql, values));
  }

  private answered<T>(perform: () => Promise<T>): Promise<T> {
    const { clock } = this.options;
    return new Promise((resolve, reject) => {
      if (this.reason !== null) {
        reject(new StoreError(this.reason));
        return;
      }
      const settle = (): void => {
        cancelTimer();
        this.waiting.delete(fail);
      };
      const fail = (error: Error): void => {
        settle();
        reject(error);
      };
      const cancelTimer = clock.schedule(clock.now() + ANSWER_WITHIN_MS, () =>
        this.end(`The database did not answer within ${ANSWER_WITHIN_MS} ms`),
      );
      this.waiting.add(fail);
      perform().then(
        (answer) => {
          settle();
          resolve(answer);
        },
        (error: unknown) => fail(error instanceof Error ? error : new StoreError(messageOf(error))),
      );
    });
  }

  /** Those of the locks that are held now. None of them may be held by this session already. */
  async tryLocks(keys: readonly number[]): Promise<readonly number[]> {
    const rows = await this.query(TRY_LOCKS, [this.options.database.lockSpace, keys]);
    return rows.filter((row) => row['is_held'] === true).map((row) => Number(row['key']));
  }

  /** The others are notified. */
  async unlock(keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    const { database, channels, replica } = this.options;
    await this.query(UNLOCK, [database.lockSpace, keys, channels.all, `freed ${replica}`]);
  }

  /** As `unlock`, for locks that were never used. */
  async unlockQuietly(keys: readonly number[]): Promise<void> {
    if (keys.length > 0) await this.query(UNLOCK_QUIETLY, [this.options.database.lockSpace, keys]);
  }

  /** One round trip, however many: the next beat waits behind it. */
  async listenTo(channels: readonly string[]): Promise<void> {
    if (channels.length > 0) await this.answered(() => this.session.script(listenTo(channels)));
  }

  async unlistenTo(channels: readonly string[]): Promise<void> {
    if (channels.length > 0) await this.answered(() => this.session.script(unlistenTo(channels)));
  }

  /** It is not counted any more; what it holds it holds. */
  async leave(): Promise<void> {
    if (!this.isPresent) return;
    this.isPresent = false;
    const { database, logRevision } = this.options;
    await this.query(LEAVE, [database.lockSpace, PRESENCE_KEY, revisionKey(logRevision)]);
  }

  end(reason: string): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.cancelNext();
    this.cancelExpiry();
    this.closing = this.session.end().catch(() => undefined);
    for (const fail of this.waiting) fail(new StoreError(reason));
    this.ending.resolve(reason);
  }

  /** Resolves when the connection is closed, or after a second. Call `end` before. */
  async closed(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.closing, sleep(this.options.clock, END_WITHIN_MS, patience.signal)]);
    patience.abort();
  }

  private async begin(): Promise<void> {
    const { database, channels, replica, logRevision } = this.options;
    const values = [database.lockSpace, PRESENCE_KEY, revisionKey(logRevision)];
    const [row] = await this.query(BEGIN_SESSION, values);
    if (row?.['is_present'] !== true) {
      throw new StoreError(
        'Another session holds the lock by which replicas are counted for itself alone: find it in pg_locks, and end it',
      );
    }
    await this.listenTo([channels.all, channels.ofReplica(replica)]);
  }

  private async beatNow(): Promise<void> {
    const { clock, beaten } = this.options;
    this.cancelNext();
    this.isBeating = true;
    this.isBeatWanted = false;
    this.beats += 1;
    const sent = { number: this.beats, at: clock.now() };
    try {
      const beat = await this.beatSent(sent);
      this.aliveUntil = sent.at + HOLDS_FOR_MS;
      if (this.isAlive()) {
        this.cancelExpiry();
        this.cancelExpiry = clock.schedule(this.aliveUntil, () => this.isAlive());
        beaten(this, beat);
      }
    } catch (error) {
      this.end(messageOf(error));
    }
    this.isBeating = false;
    if (this.reason !== null) return;
    if (this.isBeatWanted) void this.beatNow();
    else this.cancelNext = clock.schedule(sent.at + BEAT_EVERY_MS, () => this.beat());
  }

  private async beatSent({ number, at }: { readonly number: number; readonly at: number }): Promise<Beat> {
    const { database, logRevision, clock } = this.options;
    const wasPresent = this.isPresent;
    const [row] = await this.query(BEAT, [
      database.lockSpace >>> 0,
      logRevision,
      PRESENCE_KEY,
      revisionKey(logRevision),
      REVISION_KEYS_END,
    ]);
    const beat = beatOf(row, { number, roundTripMs: clock.now() - at });
    if (wasPresent && this.isPresent && !beat.own.has(PRESENCE_KEY)) {
      throw new StoreError(
        'The session does not hold its locks any more: the URL of the session must not lead through a pooler that swaps ' +
          'connections, and nothing else may unlock them',
      );
    }
    return beat;
  }
}

/** A session that comes too late is ended. */
async function sessionOf({ database, clock }: AnchorOptions): Promise<Session> {
  const opening = database.openSession();
  const patience = new AbortController();
  try {
    const late = sleep(clock, OPEN_WITHIN_MS, patience.signal).then(() => null);
    const session = await Promise.race([opening, late]);
    if (session !== null) return session;
  } finally {
    patience.abort();
  }
  void opening.then((session) => session.end()).catch(() => undefined);
  throw new StoreError(`The database opened no session within ${OPEN_WITHIN_MS} ms: see whether it serves`);
}
