import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionLedger, type UnitResult } from '../../crash/support/execution-ledger.js';
import type { Choices } from '../../crash/support/choices.js';
import { REFUSING_UNIT, TOKENS, type UnitHabits } from '../../crash/support/ledger-units.js';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';

/** The header by which a unit sees which replica calls it: a secret, of which each has another value. */
export const REPLICA_HEADER = 'x-replica';
export const REPLICA_SECRET = 'REPLICA';

interface UnitOfRun {
  readonly runId: string;
  readonly unitId: string;
}

/** One call, as it arrived. */
interface SeenCall {
  readonly replica: string;
  readonly at: number;
}

/**
 * The calls of units by several replicas. Beyond what an `ExecutionLedger` finds it records a fault when an execution is called by a
 * second replica although nothing had happened to the first, whose call had not failed: only what was in flight at a victim may be
 * called again.
 *
 * A life is that of a replica from one disturbance of it to the next; during one each call has a life of its own.
 */
export class ReplicaLedger {
  readonly ledger = new ExecutionLedger();
  private readonly lives = new Map<string, number>();
  private readonly disturbed = new Set<number>();
  private readonly inDisturbance = new Set<string>();
  private readonly seen = new Map<string, SeenCall[]>();
  private readonly answers = new Map<string, number>();
  /** The newest call of each execution, as long as nobody has answered it. */
  private readonly open = new Map<string, { readonly replica: string; readonly call: number }>();
  private readonly made = new Map<string, { readonly count: number; readonly lastAt: number }>();
  private lastLife = 0;
  private readonly faultsOfReplicas: string[] = [];

  get faults(): readonly string[] {
    return [...this.ledger.faults, ...this.faultsOfReplicas];
  }

  /** How many executions were called by more than one life. */
  get takenUp(): number {
    return [...this.seen.keys()].filter((key) => new Set(this.callsOf(key).map(({ life }) => life)).size > 1)
      .length;
  }

  /** Whether a unit was called by it. */
  hasCalled(replica: string): boolean {
    return this.lives.has(replica);
  }

  /**
   * What these replicas have in flight, or call until `calmed`, may be called again, by others or by them: it may lose what it owns
   * more than once.
   */
  disturb(replicas: readonly string[]): void {
    for (const replica of replicas) {
      this.inDisturbance.add(replica);
      const life = this.lives.get(replica);
      if (life !== undefined) this.disturbed.add(life);
    }
  }

  /** What these replicas call from now on is nobody's to call again. */
  calmed(replicas: readonly string[]): void {
    for (const replica of replicas) {
      this.inDisturbance.delete(replica);
      if (this.lives.has(replica)) this.lives.set(replica, this.nextLife());
    }
  }

  /** The executions whose newest call is of one of these replicas, and that nobody has answered yet. */
  inFlightAt(replicas: readonly string[]): readonly string[] {
    return [...this.open].flatMap(([key, { replica }]) => (replicas.includes(replica) ? [key] : []));
  }

  /** How long after the instant the execution was called again, in ms; null: it was not. */
  calledAgainAfter(key: string, instant: number): number | null {
    const again = this.seen.get(key)?.find(({ at }) => at > instant);
    return again === undefined ? null : again.at - instant;
  }

  /** How many calls were its. */
  callsBy(replica: string): number {
    return this.made.get(replica)?.count ?? 0;
  }

  /** When the replica called a unit last, epoch ms; -Infinity: never. */
  lastCallOf(replica: string): number {
    return this.made.get(replica)?.lastAt ?? -Infinity;
  }

  /** Who called the execution last. */
  newestCaller(key: string): string | null {
    return this.seen.get(key)?.at(-1)?.replica ?? null;
  }

  /** When the unit responded last in the run, epoch ms; null: it did not. */
  lastAnswerOf({ runId, unitId }: UnitOfRun): number | null {
    return this.answers.get(`${runId} ${unitId}`) ?? null;
  }

  arrived(replica: string, key: string, body: string): UnitResult {
    const life = this.lifeOf(replica);
    const before = this.callsOf(key).at(-1);
    const isAnotherReplica = before !== undefined && before.life !== life;
    if (isAnotherReplica && before.reply !== 'failure' && !this.disturbed.has(before.life))
      this.faultsOfReplicas.push(
        `${key} was called by ${replica}, though ${this.newestCaller(key)} had it (${before.reply}).`,
      );
    const at = Date.now();
    this.seen.set(key, [...(this.seen.get(key) ?? []), { replica, at }]);
    this.made.set(replica, { count: this.callsBy(replica) + 1, lastAt: at });
    this.ledger.life = life;
    const result = this.ledger.arrived(key, body);
    this.open.set(key, { replica, call: result.call });
    return result;
  }

  /** The unit is about to respond. */
  replied(result: UnitResult, reply: 'result' | 'failure', { runId, unitId }: UnitOfRun): void {
    this.ledger.replied(result, reply);
    this.answers.set(`${runId} ${unitId}`, Date.now());
    // That of an older call tells nothing of the one that is open.
    if (this.open.get(result.executionKey)?.call === result.call) this.open.delete(result.executionKey);
  }

  private lifeOf(replica: string): number {
    const isVictim = this.inDisturbance.has(replica);
    const life = (isVictim ? undefined : this.lives.get(replica)) ?? this.nextLife();
    this.lives.set(replica, life);
    if (isVictim) this.disturbed.add(life);
    return life;
  }

  private callsOf(key: string) {
    return this.ledger.get(key)?.calls ?? [];
  }

  private nextLife(): number {
    this.lastLife += 1;
    return this.lastLife;
  }
}

const LONG = 'x'.repeat(5_000);

/** Real units that respond for every `uses`, and record their calls with who called. As `startLedgerUnits`. */
export function startReplicaUnits(
  replicas: ReplicaLedger,
  choices: Choices,
  habits: UnitHabits,
): Promise<UnitServer> {
  const refused = new Set<string>();
  return startUnitServer(async ({ headers, body }) => {
    const key = headers['idempotency-key'];
    const replica = String(headers[REPLICA_HEADER]);
    const result = replicas.arrived(replica, typeof key === 'string' ? key : '', body);
    const { unitId, runId } = (JSON.parse(body) as { context: { unitId: string; runId: string } }).context;
    habits.onCall?.('arrived');
    await delay(choices.between(habits.shortestMs ?? 0, habits.longestMs));
    if (unitId === REFUSING_UNIT && refused.size !== refused.add(runId).size) {
      replicas.replied(result, 'failure', { runId, unitId });
      return { status: 422, body: 'not yet' };
    }
    if (choices.happens(habits.failures)) {
      replicas.replied(result, 'failure', { runId, unitId });
      return { status: 503, body: 'busy' };
    }
    replicas.replied(result, 'result', { runId, unitId });
    const padding = choices.happens(habits.longResults) ? { padding: LONG } : {};
    return { body: { content: { ...result, ...padding }, tokenUsage: { totalTokens: TOKENS } } };
  });
}
