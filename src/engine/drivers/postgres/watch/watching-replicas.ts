import type { CancelTimer, Clock } from '../../../ports/clock.js';
import type { ReplicaLink } from '../notifications/replica-link.js';
import { MAX_RUNS_IN_MESSAGE } from '../notifications/replica-message.js';

/** Replicas repeat their wish every 10 s: who has said nothing for so long waits no longer. */
const FORGET_AFTER_MS = 25_000;
/** Beyond these bounds nobody is notified, and those who wait look by themselves. */
const MAX_RUNS = 10_000;
const MAX_REPLICAS = 64;
/** A replica is notified at once, and then at most this often. */
const NOTIFY_EVERY_MS = 20;

/** What is to be sent to a replica. */
interface Outgoing {
  readonly replica: string;
  /** By run, the newest seq. */
  readonly seqs: Map<string, number>;
  /** Set while it must not be notified yet. */
  cancelTimer: CancelTimer | null;
}

export interface WatchingReplicasOptions {
  readonly link: Pick<ReplicaLink, 'replica' | 'toReplica'>;
  readonly clock: Clock;
}

/** Which other replicas wait for runs that are owned here; they are notified of appends. */
export class WatchingReplicas {
  /** By run, then by replica: until when. The run whose wish is oldest comes first. */
  private readonly watched = new Map<string, Map<string, number>>();
  private readonly outgoing = new Map<string, Outgoing>();

  constructor(private readonly options: WatchingReplicasOptions) {}

  /** How many runs are waited for elsewhere. */
  get size(): number {
    return this.watched.size;
  }

  add(runId: string, replica: string): void {
    const { clock, link } = this.options;
    if (replica === link.replica) return;
    this.forgetOld();
    const replicas = this.watched.get(runId) ?? new Map<string, number>();
    if (!this.watched.has(runId) && this.watched.size >= MAX_RUNS) return;
    if (!replicas.has(replica) && replicas.size >= MAX_REPLICAS) return;
    replicas.set(replica, clock.now() + FORGET_AFTER_MS);
    this.watched.delete(runId);
    this.watched.set(runId, replicas);
    // What was appended before the wish arrived it may not have seen.
    this.notify(replica, runId, Infinity);
  }

  /** `seq` infinite: it is not known. Costs next to nothing while nobody waits. */
  appended(runId: string, seq: number): void {
    if (this.watched.size === 0) return;
    const replicas = this.watched.get(runId);
    if (replicas === undefined) return;
    const now = this.options.clock.now();
    for (const [replica, until] of replicas) {
      if (until > now) this.notify(replica, runId, seq);
      else replicas.delete(replica);
    }
    if (replicas.size === 0) this.watched.delete(runId);
  }

  close(): void {
    for (const { cancelTimer } of this.outgoing.values()) cancelTimer?.();
    this.outgoing.clear();
    this.watched.clear();
  }

  private notify(replica: string, runId: string, seq: number): void {
    const known = this.outgoing.get(replica);
    const outgoing: Outgoing = known ?? { replica, seqs: new Map(), cancelTimer: null };
    this.outgoing.set(replica, outgoing);
    outgoing.seqs.set(runId, Math.max(seq, outgoing.seqs.get(runId) ?? 0));
    if (outgoing.cancelTimer === null) this.send(outgoing);
  }

  private send(outgoing: Outgoing): void {
    const { clock, link } = this.options;
    const runs = [...outgoing.seqs].map(([runId, seq]) => ({ runId, seq }));
    outgoing.seqs.clear();
    for (let from = 0; from < runs.length; from += MAX_RUNS_IN_MESSAGE) {
      link.toReplica(outgoing.replica, {
        type: 'appended',
        runs: runs.slice(from, from + MAX_RUNS_IN_MESSAGE),
      });
    }
    outgoing.cancelTimer = clock.schedule(clock.now() + NOTIFY_EVERY_MS, () => {
      outgoing.cancelTimer = null;
      if (outgoing.seqs.size > 0) this.send(outgoing);
      else this.outgoing.delete(outgoing.replica);
    });
  }

  private forgetOld(): void {
    const now = this.options.clock.now();
    for (const [runId, replicas] of this.watched) {
      for (const [replica, until] of replicas) if (until <= now) replicas.delete(replica);
      if (replicas.size > 0) return;
      this.watched.delete(runId);
    }
  }
}
