import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import {
  AmbiguousGateError,
  GateDecidedError,
  ImportedRunError,
  NoCheckpointError,
  NothingToCompensateError,
  RunOverError,
  UnknownRunError,
  UnwoundError,
} from '../../../errors/run-errors.js';
import { anonymous, type Actor } from '../../core/log/actor.js';
import type { RunRequest } from '../../core/log/event.js';
import { seqOfSnapshot } from '../../core/log/snapshot-id.js';
import type { Signal } from '../../core/signal.js';
import type { RunBudget } from '../../core/state/run-budget.js';
import { hasFailedCompensations } from '../../core/state/debts/compensation-summary.js';
import type { RunState } from '../../core/state/state.js';
import { isOver, statusOf } from '../../core/state/status.js';
import { decisionAt, openGatesOf, type Gate } from '../../core/waits/gate.js';
import { canBePaused, openPausesOf } from '../../core/waits/pause.js';
import { waitOf } from '../../core/waits/wait-kind.js';
import { waitAtMost, type Clock } from '../../ports/clock.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRecord } from '../../run-record.js';
import { waitsForRuns } from '../../core/family/family-changes.js';
import type { FamilyOrders } from '../children/family-orders.js';
import type { ChildGate, FamilySteering } from './family-steering.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { checkedBudget, type GivenBudget } from './given-budget.js';
import { assertWayBack, lastWayBack } from '../starting/forks/way-back.js';
import { earlierRun, idempotencyRecord, type KeyedRequest } from '../starting/idempotency.js';
import type { RunAddress, RunReader } from '../reading/run-reader.js';
import { ANSWERED_ONCE, type AnsweredOnce, type SyncUntil } from '../../vocabulary.js';
import type { CompletionWaiters, Waiting } from '../streams/completion-waiters.js';

interface Steering extends RunAddress, Waiting {
  /** Who sends the request. Default: somebody in this process. */
  readonly by?: Actor | undefined;
  readonly idempotencyKey?: string | null | undefined;
  /** As for a start. */
  readonly keyOwner?: string | undefined;
}

interface Answered {
  /**
   * When it is answered. `gate`: at an open gate too, then possibly `running`. `recorded`: once what it asks for is durable.
   * Default `stop`: once the run stops again.
   */
  readonly syncUntil?: AnsweredOnce | undefined;
}

export interface ResumeRequest extends Steering, Answered {
  /** A checkpoint to go back to; absent or the latest: the run continues where it is. */
  readonly snapshotId?: string | null | undefined;
  /**
   * What the run may spend from here on, in place of what its workflow says; a bound that is absent or null stays as it
   * is. It holds once something is resumed: a pause is lifted, a failed run is tried again, the run goes back.
   */
  readonly budget?: GivenBudget | null | undefined;
}

export interface RespondRequest extends Steering, Answered {
  readonly approved: boolean;
  /** Who decided, for audit. */
  readonly responder: string;
  readonly comment?: string | null | undefined;
  /** Which gate, when several are open. */
  readonly gateId?: number | null | undefined;
  /**
   * The run that the gate belongs to, where it was read from that run or from `gates.open`: two of a family may have the
   * same number. Default: whichever run has it.
   */
  readonly gateRunId?: string | null | undefined;
}

/** A cancel or a pause. */
export type StopRequest = Steering;

export interface RunSteeringOptions {
  readonly live: LiveRuns;
  readonly reader: RunReader;
  readonly completions: CompletionWaiters;
  readonly store: Pick<RunLog, 'readIdempotency'>;
  readonly clock: Clock;
  /** How long a request waits for the run to stop again, in ms, unless it says otherwise. */
  readonly waitMs: number;
  readonly sameInstantMs: number;
  /** How long attempts in flight may take to complete when their run is cancelled or paused. */
  readonly cancelGraceMs: number;
  /** Handles what is for the runs that the run waits for. */
  readonly family: FamilySteering;
  /** Handles what is for their pauses. */
  readonly orders: Pick<FamilyOrders, 'settled'>;
}

/** More than an error lists. */
const MOST_GATES = 101;

const NOTHING_DONE = 'Nothing of the run was done yet: start it again if it does not go on.';

/**
 * What people do to runs: lift pauses, go back to checkpoints, decide at gates.
 *
 * 1. What a request is for (this gate, this pause) is chosen when it arrives, so that the same request sent twice never
 *    meets the next one.
 * 2. A request that was carried out, or lost to another, keeps its key, whichever of its signals served; one that was
 *    refused keeps none.
 */
export class RunSteering {
  constructor(private readonly options: RunSteeringOptions) {}

  /**
   * Throws an `UnknownRunError`, a `NoCheckpointError`, an `UnwoundError`, an `InvalidRequestError` or an
   * `IdempotencyConflictError`.
   */
  async resume(request: ResumeRequest): Promise<RunRecord> {
    const { snapshotId = null, runId, by = anonymous('in-process') } = request;
    const budget = checkedBudget(request.budget);
    // Without a budget the content is as it always was, so that earlier keys stand for the same request.
    const content = budget === null ? { snapshotId } : { snapshotId, budget: { ...budget } };
    return this.steer(request, 'resume', content, async (run) => {
      const hasChildren = waitsForRuns(run.definition.plan);
      if (hasChildren) await this.options.family.hearOfPauses(run);
      const { durable: state } = run;
      const at = this.options.clock.now();
      // A run that may not spend anything is at its end before the first checkpoint: with more it continues from there.
      const isGivenMore = budget !== null && snapshotId === null && state.phase === 'failed';
      if (state.checkpoint === 0 && !isGivenMore) throw new NoCheckpointError(runId, NOTHING_DONE);
      const seq = snapshotId === null ? null : (await this.options.reader.checkpoint(runId, snapshotId)).seq;
      const goBack = async (toSeq: number) => [await this.rewind(request, run, toSeq, { by, budget })];
      if (seq !== null && seq !== state.checkpoint) return goBack(seq);
      const lift = (pauseId: number | null): Signal => ({ type: 'resume', at, by, budget, pauseId });
      if (state.phase === 'failed') {
        if (state.isUnwound !== true) return [lift(null)];
        // It cannot continue where it is; its latest checkpoint may be from before what ran on the way of the failure.
        const wayBack = await lastWayBack(this.options.reader, request, state);
        if (seq === null || wayBack === null || seq !== seqOfSnapshot(runId, wayBack))
          throw new UnwoundError(runId, wayBack, 'failed');
        return goBack(seq);
      }
      const own = openPausesOf(state).map(lift);
      if (!hasChildren || state.phase !== 'live') return own;
      return [...own, { type: 'resume-family', at, by, budget, seenSeq: state.seq }];
    });
  }

  /**
   * Throws an `UnknownRunError`, a `RunOverError`, an `AmbiguousGateError`, a `GateDecidedError` or an
   * `IdempotencyConflictError`.
   */
  async respond(request: RespondRequest): Promise<RunRecord> {
    const { approved, responder, comment = null } = request;
    const { by = anonymous('in-process', responder) } = request;
    const { gateRunId = null } = request;
    const asked = { approved, responder, comment, gateId: request.gateId ?? null };
    // Without a run the content is as it always was, so that earlier keys stand for the same request.
    const content = gateRunId === null ? asked : { ...asked, gateRunId };
    return this.steer(request, 'hitl', content, async ({ durable, definition }) => {
      const { clock } = this.options;
      const below = waitsForRuns(definition.plan) ? await this.gatesBelow(durable, request) : [];
      const gate = gateFor(durable, request, below);
      if (gate === null) return [];
      const gateId = typeof gate === 'number' ? gate : gate.gateId;
      const signal: Signal = { type: 'decision', at: clock.now(), gateId, approved, responder, by, comment };
      return typeof gate === 'number' ? [signal] : { gate, signal };
    });
  }

  /** The gates that matter to the request, of the runs that this one waits for. */
  private async gatesBelow(state: RunState, request: RespondRequest): Promise<readonly ChildGate[]> {
    const { family } = this.options;
    const { gateId = null, gateRunId = null } = request;
    const { runId } = state;
    if (isOver(state)) return [];
    if (gateRunId !== null && gateRunId !== runId) {
      const named = gateId === null ? null : await family.openGate(runId, gateRunId, gateId);
      return named === null ? [] : [named];
    }
    // What the run itself knows of goes first.
    const isOfRun =
      gateId !== null && (waitOf<Gate>(state, 'gate', gateId) ?? decisionAt(state, gateId)) !== undefined;
    return isOfRun || gateRunId !== null ? [] : family.openGates(runId, MOST_GATES);
  }

  /**
   * Returns a run that is over, or is being cancelled already, as it is. Throws an `UnknownRunError` or an
   * `IdempotencyConflictError`.
   */
  async cancel(request: StopRequest): Promise<RunRecord> {
    return this.stop(
      request,
      'cancel',
      ({ phase, cancelling, again }) =>
        phase === 'failed' || (phase === 'live' && cancelling === null && again === undefined),
    );
  }

  /** Returns a run that is over, or paused already, as it is. Throws as `cancel` does. */
  async pause(request: StopRequest): Promise<RunRecord> {
    return this.stop(request, 'pause', canBePaused);
  }

  /**
   * Tries again what could not be undone. Returns a run that is at it already as it is. Throws a `NothingToCompensateError`, or as
   * `cancel` does.
   */
  async compensate(request: StopRequest): Promise<RunRecord> {
    const { by = anonymous('in-process'), runId } = request;
    return this.steer(request, 'compensate', contentOfStop(request, by), async ({ durable }) => {
      if (durable.again !== undefined) return [];
      if (!isOver(durable) || !hasFailedCompensations(durable))
        throw new NothingToCompensateError(runId, isOver(durable));
      return [{ type: 'compensate', at: this.options.clock.now(), by }];
    });
  }

  private stop(
    request: StopRequest,
    type: 'cancel' | 'pause',
    isToBeDone: (state: RunState) => boolean,
  ): Promise<RunRecord> {
    const { clock, cancelGraceMs: graceMs } = this.options;
    const { by = anonymous('in-process') } = request;
    return this.steer(request, type, contentOfStop(request, by), async ({ durable }) =>
      isToBeDone(durable) ? [{ type, at: clock.now(), by, graceMs }] : [],
    );
  }

  private async rewind(
    address: RunAddress,
    run: LiveRun,
    toSeq: number,
    given: { readonly by: Actor; readonly budget: RunBudget | null },
  ): Promise<Signal> {
    const { reader } = this.options;
    const { state: baseState } = await reader.fold(run.runId, toSeq);
    await assertWayBack(reader, address, baseState, async () => run.durable);
    // The same holds for a fork there: what cleans up after the run would do so twice.
    if (baseState.cancelling !== null)
      throw new InvalidRequestError('The run was being cancelled there: go back to a checkpoint before that');
    return { type: 'rewind', at: this.options.clock.now(), toSeq, baseState, ...given };
  }

  /** Chooses the signals by what is open now, sends them, and waits until the run stops again. */
  private async steer(
    steering: Steering & Answered,
    request: RunRequest,
    content: KeyedRequest['content'],
    choose: (run: LiveRun) => Promise<readonly Signal[] | ForChild>,
  ): Promise<RunRecord> {
    const { live, store } = this.options;
    const { runId, workflowId, namespace = DEFAULT_NAMESPACE, idempotencyKey, keyOwner: owner } = steering;
    const keyed: KeyedRequest | null =
      typeof idempotencyKey === 'string'
        ? { scope: `${request}:${runId}`, key: idempotencyKey, content, owner }
        : null;
    const until = checkedUntil(steering.syncUntil);
    const isKnown = await live.withRun(runId, async (run) => {
      const { durable } = run;
      if (durable.workflowId !== workflowId || durable.namespace !== namespace) return false;
      if (durable.isImported) throw new ImportedRunError(runId);
      if (keyed === null || (await earlierRun(store, keyed)) === null)
        await this.carryOut(run, keyed, request, choose);
      if (until === 'recorded') return true;
      // The record should show the run once those that it waits for have followed, though not at any price.
      const { orders, clock, waitMs } = this.options;
      await waitAtMost(clock, steering.waitMs ?? waitMs, orders.settled(runId));
      return true;
    });
    if (isKnown !== true) throw new UnknownRunError(runId);
    const address = { workflowId, runId, namespace };
    return until === 'recorded'
      ? this.options.reader.record(address)
      : this.whenStopped(address, steering, until);
  }

  private async carryOut(
    run: LiveRun,
    keyed: KeyedRequest | null,
    request: RunRequest,
    choose: (run: LiveRun) => Promise<readonly Signal[] | ForChild>,
  ): Promise<void> {
    const { runId } = run;
    const chosen = await choose(run);
    if (isOwn(chosen) && chosen.length === 0 && keyed === null) return;
    await this.requestsOfThisInstant();
    const key = keyed === null ? null : { record: idempotencyRecord(keyed, runId), request };
    if (isOwn(chosen)) await run.send(chosen, key);
    else await this.options.family.decide(chosen.gate, chosen.signal, key, runId);
  }

  /**
   * Requests that were sent at the same instant arrive one after another. Each must have chosen its gate before the first
   * decision opens the next one, so what was chosen is deferred for a moment (decision 0008).
   */
  private requestsOfThisInstant(): Promise<void> {
    const { clock, sameInstantMs } = this.options;
    return new Promise((resolve) => {
      if (sameInstantMs === 0) setImmediate(resolve);
      else clock.schedule(clock.now() + sameInstantMs, resolve);
    });
  }

  /** Resolves once the run stops, or, `until` a gate, is at one; bounded as a resume is. */
  async whenStopped(address: RunAddress, { waitMs, signal }: Waiting, until: SyncUntil): Promise<RunRecord> {
    const { reader, completions } = this.options;
    const wait = completions.next(address.runId, waitMs ?? this.options.waitMs, signal, until);
    const status = await reader.status(address.runId).catch(() => null);
    const isMet =
      status !== 'running' ||
      (until === 'gate' && (await completions.isAtGate(address.runId).catch(() => false)));
    if (isMet) wait.abandon();
    return (await wait.stopped) ?? reader.record(address);
  }
}

/** Of an account all keys and tokens are one, whatever names them. */
function contentOfStop({ keyOwner }: StopRequest, by: Actor): KeyedRequest['content'] {
  return keyOwner === undefined ? { by: by.id } : {};
}

/** Throws an `InvalidRequestError`. */
function checkedUntil(given: AnsweredOnce | null | undefined): AnsweredOnce {
  const until = given ?? 'stop';
  if (ANSWERED_ONCE.includes(until)) return until;
  throw new InvalidRequestError(`syncUntil must be one of ${ANSWERED_ONCE.join(', ')}`);
}

/** A decision at the gate of a run that the requested run waits for. */
interface ForChild {
  readonly gate: ChildGate;
  readonly signal: Signal;
}

function isOwn(chosen: readonly Signal[] | ForChild): chosen is readonly Signal[] {
  return Array.isArray(chosen);
}

/**
 * The gate that a decision is for, or null when there is nothing to decide and nothing wrong with that. `below`: the open
 * gates of the runs that it waits for; what the run itself knows of goes first.
 */
function gateFor(
  state: RunState,
  request: RespondRequest,
  below: readonly ChildGate[],
): number | ChildGate | null {
  const { gateId = null, gateRunId = null, approved, runId } = request;
  if (isOver(state)) {
    const isSame = state.decisions.some(
      ({ approved: was, runId: within }, id) =>
        within === undefined && was === approved && (gateId === null || id === gateId),
    );
    if (isSame) return null;
    throw new RunOverError(runId, statusOf(state));
  }
  const open = openGatesOf(state);
  if (gateRunId !== null && gateRunId !== runId) {
    const meant = below.find((gate) => gate.runId === gateRunId && gate.gateId === gateId);
    if (meant !== undefined) return meant;
    throw new InvalidRequestError(
      `No gate ${gateId} of the run ${gateRunId} is open any more: read the run to see how it stands.`,
    );
  }
  if (gateId !== null) {
    if (open.some((gate) => gate.gateId === gateId)) return gateId;
    const decision = decisionAt(state, gateId);
    if (decision?.approved === approved) return null;
    if (decision !== undefined) throw new GateDecidedError(gateId, decision);
    const named = gateRunId === null ? below.filter((gate) => gate.gateId === gateId) : [];
    // Runs count their gates alike: the same request sent twice would decide at the gate of the next child.
    if (named.length > 0) throw new AmbiguousGateError(named.map(namedOf));
    throw new InvalidRequestError(`The run has no gate ${gateId}: leave gateId out or name an open gate.`);
  }
  if (open.length + below.length > 1) throw new AmbiguousGateError([...open, ...below].map(namedOf));
  return open[0]?.gateId ?? below[0] ?? null;
}

function namedOf({ gateId, unitId, title, runId }: Named): Named {
  return { gateId, unitId, title, ...(runId === undefined ? {} : { runId }) };
}

type Named = ConstructorParameters<typeof AmbiguousGateError>[0][number];
