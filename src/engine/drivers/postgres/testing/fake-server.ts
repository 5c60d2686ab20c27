import { sleep, type CancelTimer, type Clock } from '../../../ports/clock.js';
import { PRESENCE_KEY } from '../ownership/lock-keys.js';
import type { DriverDatabase, Session, SessionRow, SessionValue } from '../session.js';
import {
  BEAT,
  BEGIN_SESSION,
  LAST_SEQS,
  LEAVE,
  MARK_IN_USE,
  NOTE_CLEAN,
  NOTIFY,
  TRY_LOCKS,
  UNLOCK,
  UNLOCK_QUIETLY,
} from '../statements.js';

const IDLE_MS = 2_500;

interface NotedShard {
  readonly isClean: boolean;
  readonly revision: number;
}

/** What PostgreSQL does for the driver, in memory: locks of sessions, LISTEN and NOTIFY, the end of idle sessions, its clock. */
export class FakeServer {
  readonly lockSpace = -12_345;
  readonly shards = new Map<number, NotedShard>();
  readonly lastSeqs = new Map<string, number>();
  /** Each notification, as channel and payload. */
  readonly notified: (readonly [channel: string, payload: string])[] = [];
  readonly sessions = new Set<FakeSession>();
  /** Notifications reach nobody. */
  dropsNotifications = false;
  /** No shard can be noted. */
  isFull = false;
  /** Something else holds the lock by which replicas are counted. */
  isCountedElsewhere = false;
  /** How far its clock is ahead. */
  aheadMs = 0;

  constructor(readonly clock: Clock) {}

  /** The way of one process to it. */
  replica(): FakeReplica {
    return new FakeReplica(this);
  }

  /** As if another replica had freed something: all that are there beat at once. */
  poke(): void {
    this.notify(`flowgate_${this.lockSpace >>> 0}`, 'freed somebody');
  }

  notify(channel: string, payload: string): void {
    this.notified.push([channel, payload]);
    if (this.dropsNotifications) return;
    for (const session of this.sessions) queueMicrotask(() => session.receive(channel, payload));
  }

  holderOf(key: number): FakeSession | undefined {
    return [...this.sessions].find((session) => session.locks.has(key));
  }

  /** Performs a statement of a session. */
  perform(session: FakeSession, sql: string, values: readonly SessionValue[]): readonly SessionRow[] {
    const keys = (at: number): readonly number[] => values[at] as readonly number[];
    switch (sql) {
      case BEGIN_SESSION:
        session.isPresent = !this.isCountedElsewhere;
        session.revisionKey = Number(values[2]);
        return [{ is_present: session.isPresent }];
      case LEAVE:
        session.isPresent = false;
        return [{ is_freed: true }];
      case BEAT:
        return [this.beat(session, values)];
      case TRY_LOCKS:
        return keys(1).map((key) => {
          const holder = this.holderOf(key);
          if (holder === session) throw new Error(`${key} would be locked twice`);
          if (holder === undefined) session.locks.add(key);
          return { key, is_held: holder === undefined };
        });
      case UNLOCK:
      case UNLOCK_QUIETLY: {
        const freed = keys(1).map((key) => ({ is_freed: session.locks.delete(key) }));
        if (sql === UNLOCK) this.notify(String(values[2]), String(values[3]));
        return freed;
      }
      case MARK_IN_USE:
        return this.markInUse(keys(0), Number(values[1]));
      case NOTE_CLEAN:
        this.refuseIfFull();
        for (const shard of keys(0)) this.note(shard, true, Number(values[1]));
        return [];
      default:
        throw new Error(`Nobody has taught this server: ${sql}`);
    }
  }

  /** Performs LISTEN and UNLISTEN. */
  performScript(session: FakeSession, sql: string): void {
    for (const statement of sql.split('; ')) this.listen(session, statement);
  }

  /** Performs a statement on any connection. */
  performAlone(sql: string, values: readonly SessionValue[]): readonly SessionRow[] {
    const text = String(values[0]);
    if (sql === NOTIFY) {
      const all: readonly { readonly channel: string; readonly payload: string }[] = JSON.parse(text);
      for (const { channel, payload } of all) this.notify(channel, payload);
      return all.map(() => ({ notified: '' }));
    }
    if (sql === LAST_SEQS) {
      return text.split(',').flatMap((runId) => {
        const lastSeq = this.lastSeqs.get(runId);
        return lastSeq === undefined ? [] : [{ run_id: runId, last_seq: lastSeq }];
      });
    }
    throw new Error(`Nobody has taught this server: ${sql}`);
  }

  private beat(session: FakeSession, [space, revision, , ...keys]: readonly SessionValue[]): SessionRow {
    const [fromKey, endKey] = keys.map(Number);
    if (space !== this.lockSpace >>> 0) throw new Error(`The space of locks has no sign: ${String(space)}`);
    const others = [...this.sessions].filter((other) => other !== session);
    const keysOf = ({ isPresent, revisionKey, locks }: FakeSession): readonly number[] =>
      isPresent ? [PRESENCE_KEY, revisionKey, ...locks] : [...locks];
    const present = [...this.sessions].filter(({ isPresent }) => isPresent);
    return {
      database_ms: this.clock.now() + this.aheadMs,
      replicas: present.length,
      peers: present.filter(({ revisionKey }) => revisionKey >= (fromKey ?? 0) && revisionKey < (endKey ?? 0))
        .length,
      own: keysOf(session).join(','),
      others: others.flatMap(keysOf).join(','),
      barred: [...this.shards]
        .filter(([, noted]) => noted.revision > Number(revision))
        .map(([shard]) => shard)
        .join(','),
    };
  }

  private markInUse(shards: readonly number[], revision: number): readonly SessionRow[] {
    this.refuseIfFull();
    return shards.flatMap((shard) => {
      const noted = this.shards.get(shard);
      if ((noted?.revision ?? 0) > revision) return [];
      this.note(shard, false, revision);
      return [{ shard, was_clean: noted?.isClean ?? false }];
    });
  }

  private note(shard: number, isClean: boolean, revision: number): void {
    this.shards.set(shard, { isClean, revision: Math.max(revision, this.shards.get(shard)?.revision ?? 0) });
  }

  private refuseIfFull(): void {
    if (this.isFull) throw new Error('The disk of the database is full');
  }

  private listen(session: FakeSession, sql: string): void {
    const [, command, channel = ''] = /^(LISTEN|UNLISTEN) ([a-z0-9_]+)$/.exec(sql) ?? [];
    if (command === 'LISTEN') session.channels.add(channel);
    else if (command === 'UNLISTEN') session.channels.delete(channel);
    else throw new Error(`Nobody has taught this server: ${sql}`);
  }
}

/** The network between a process and the server. `held`: answers do not arrive yet. `cut`: nothing arrives at either end. */
type Network = 'open' | 'held' | 'cut';

/** The way of one process to the server. */
export class FakeReplica implements DriverDatabase {
  readonly opened = Promise.resolve();
  /** The statements on any connection, in order. */
  readonly alone: string[] = [];
  /** How many sessions were opened. */
  opens = 0;
  /** Every connection is refused. */
  isRefusing = false;
  /** From a statement of a session to its answer. */
  roundTripMs = 0;
  private network: Network = 'open';
  private held: (() => void)[] = [];

  constructor(readonly server: FakeServer) {}

  get lockSpace(): number {
    return this.server.lockSpace;
  }

  get isCut(): boolean {
    return this.network === 'cut';
  }

  /** The sessions of this process. */
  get sessions(): readonly FakeSession[] {
    return [...this.server.sessions].filter(({ replica }) => replica === this);
  }

  /** What was held arrives when it opens. */
  setNetwork(network: Network): void {
    this.network = network;
    if (network !== 'open') return;
    const { held } = this;
    this.held = [];
    for (const arrive of held) arrive();
  }

  /** The process dies: its connections end, and it makes no others. */
  crash(): void {
    this.isRefusing = true;
    for (const session of this.sessions) session.kill('The process has died');
  }

  async openSession(): Promise<Session> {
    if (this.isRefusing) throw new Error('The connection is refused');
    if (this.isCut) await this.arrival();
    this.opens += 1;
    return new FakeSession(this);
  }

  async query(sql: string, values: readonly SessionValue[] = []): Promise<readonly SessionRow[]> {
    this.alone.push(sql);
    await Promise.resolve();
    if (this.isRefusing || this.isCut) throw new Error('The connection is refused');
    const rows = this.server.performAlone(sql, values);
    if (this.network === 'held') await this.arrival();
    return rows;
  }

  /** Resolves when the network is open again. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.held.push(resolve));
  }

  get holdsAnswers(): boolean {
    return this.network === 'held';
  }
}

export class FakeSession implements Session {
  readonly locks = new Set<number>();
  readonly channels = new Set<string>();
  isPresent = false;
  revisionKey = 0;
  /** How many beats arrived here. */
  beats = 0;
  private readonly ending = Promise.withResolvers<string>();
  private isOver = false;
  private isClosedHere = false;
  private listener: (channel: string, payload: string) => void = () => undefined;
  private cancelIdle: CancelTimer = () => undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly replica: FakeReplica) {
    replica.server.sessions.add(this);
    this.spoke();
  }

  get ended(): Promise<string> {
    return this.ending.promise;
  }

  query(sql: string, values: readonly SessionValue[] = []): Promise<readonly SessionRow[]> {
    return this.inTurn(() => {
      if (sql === BEAT) this.beats += 1;
      return this.replica.server.perform(this, sql, values);
    });
  }

  script(sql: string): Promise<void> {
    return this.inTurn(() => this.replica.server.performScript(this, sql));
  }

  onNotification(listener: (channel: string, payload: string) => void): void {
    this.listener = listener;
  }

  receive(channel: string, payload: string): void {
    if (!this.isOver && !this.replica.isCut && this.channels.has(channel)) this.listener(channel, payload);
  }

  async end(): Promise<void> {
    this.isClosedHere = true;
    if (this.replica.isCut) this.ending.resolve('The connection was closed here');
    else this.kill('It was ended');
  }

  /** The server ends it: what it held is free. The process hears of it once the network is there. */
  kill(reason: string): void {
    this.isOver = true;
    this.cancelIdle();
    this.replica.server.sessions.delete(this);
    if (!this.replica.isCut) this.ending.resolve(reason);
    else void this.replica.arrival().then(() => this.ending.resolve(reason));
  }

  /** One after another: the next is sent once this one is answered. */
  private inTurn<T>(perform: () => T): Promise<T> {
    const turn = this.last.then(() => this.performed(perform));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async performed<T>(perform: () => T): Promise<T> {
    const { replica } = this;
    if (replica.isCut) await replica.arrival();
    if (this.isOver || this.isClosedHere) throw new Error('The session is over');
    this.spoke();
    const answer = perform();
    const { clock } = replica.server;
    if (replica.roundTripMs > 0) await sleep(clock, replica.roundTripMs);
    if (replica.holdsAnswers) await replica.arrival();
    return answer;
  }

  private spoke(): void {
    const { clock } = this.replica.server;
    this.cancelIdle();
    this.cancelIdle = clock.schedule(clock.now() + IDLE_MS, () => this.kill('It was idle for too long'));
  }
}
