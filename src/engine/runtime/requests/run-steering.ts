import { AmbiguousGateError, UnknownRunError } from '../../../errors/run-errors.js';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { Signal } from '../../core/signal.js';
import { encodeState } from '../../core/state/state-codec.js';
import type { RunState } from '../../core/state/state.js';
import { isOver, statusOf } from '../../core/state/status.js';
import type { RunRecord } from '../../run-record.js';
import { earlierRun, idempotencyRecord, type KeyedRequest } from './idempotency.js';
import type { LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunAddress, RunReader } from './run-reader.js';
import type { RunShell } from '../mailbox/run-shell.js';
import type { Settling } from './settling.js';

export interface ResumeRequest extends RunAddress {
  /** A checkpoint to go back to; absent or the latest: the run goes on where it is. */
  readonly snapshotId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

export interface RespondRequest extends RunAddress {
  readonly approved: boolean;
  /** Who decided, for audit. */
  readonly responder: string;
  readonly comment?: string | null | undefined;
  /** Which gate, when several are open. */
  readonly gateId?: number | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** What people do to runs: lift pauses, go back to checkpoints, decide at gates. */
export class RunSteering {
  constructor(
    private readonly live: LiveRuns,
    private readonly reader: RunReader,
    private readonly settling: Settling,
    private readonly shell: RunShell,
    private readonly timing: { readonly waitMs: number; readonly sameInstantMs: number },
  ) {}

  /** Throws an `UnknownRunError`, a `NoCheckpointError` or an `IdempotencyConflictError`. */
  async resume(request: ResumeRequest): Promise<RunRecord> {
    const { snapshotId = null } = request;
    return this.steer(request, `resume:${request.runId}`, { snapshotId }, async (run) => {
      const state = run.durable;
      const at = this.shell.clock.now();
      const by = 'user';
      if (snapshotId !== null) {
        const { seq } = await this.reader.checkpoint(request.runId, snapshotId);
        if (seq !== state.checkpoint) return [await this.rewind(request.runId, seq)];
      }
      if (state.phase === 'failed') return [{ type: 'resume', at, by, pauseId: null }];
      return [...state.pauses.keys()]
        .sort((a, b) => a - b)
        .map((pauseId) => ({ type: 'resume', at, by, pauseId }));
    });
  }

  /** Throws an `UnknownRunError`, an `AmbiguousGateError` or an `IdempotencyConflictError`. */
  async respond(request: RespondRequest): Promise<RunRecord> {
    const { approved, responder, comment = null } = request;
    const content = { approved, responder, comment, gateId: request.gateId ?? null };
    return this.steer(request, `hitl:${request.runId}`, content, async (run) => {
      const gateId = gateFor(run.durable, request);
      if (gateId === null) return [];
      return [{ type: 'decision', at: this.shell.clock.now(), gateId, approved, responder, comment }];
    });
  }

  private async rewind(runId: string, toSeq: number): Promise<Signal> {
    const { state } = await this.reader.fold(runId, toSeq);
    return { type: 'rewind', at: this.shell.clock.now(), toSeq, state: encodeState(state), by: 'user' };
  }

  /**
   * Chooses the signals by what is open now, sends them, and waits until the run stops again. The signals
   * name what they are for (this gate, this pause), so that the same request sent twice never meets the next.
   */
  private async steer(
    address: RunAddress & { readonly idempotencyKey?: string | null | undefined },
    scope: string,
    content: KeyedRequest['content'],
    choose: (run: LiveRun) => Promise<readonly Signal[]>,
  ): Promise<RunRecord> {
    const { runId, workflowId, idempotencyKey } = address;
    const run = await this.live.acquire(runId, this.shell);
    if (run === null || run.durable.workflowId !== workflowId) throw new UnknownRunError(runId);
    const keyed = typeof idempotencyKey === 'string' ? { scope, key: idempotencyKey, content } : null;
    const isRepeated = keyed !== null && (await earlierRun(this.shell.store, keyed)) !== null;
    const chosen = isRepeated ? [] : await choose(run);
    const signals = chosen.length === 0 && keyed !== null && !isRepeated ? [this.note(scope)] : chosen;
    if (signals.length > 0) {
      await this.requestsOfThisInstant();
      const current = (await this.live.acquire(runId, this.shell)) ?? run;
      const record = keyed === null ? null : idempotencyRecord(keyed, runId);
      await Promise.all(signals.map((signal, index) => current.send(signal, index === 0 ? record : null)));
    }
    return this.whenStopped({ workflowId, runId });
  }

  /**
   * Requests that were sent at the same instant arrive one after another. Each must have chosen its gate before
   * the first decision opens the next one, so what was chosen is kept back for a moment (decision 0008).
   */
  private requestsOfThisInstant(): Promise<void> {
    const { clock } = this.shell;
    const { sameInstantMs } = this.timing;
    return new Promise((resolve) => {
      if (sameInstantMs === 0) setImmediate(resolve);
      else clock.schedule(clock.now() + sameInstantMs, resolve);
    });
  }

  /** Keeps the key of a request that found nothing to do: sent again, it must not meet what opens later. */
  private note(scope: string): Signal {
    return {
      type: 'note',
      at: this.shell.clock.now(),
      request: scope.startsWith('hitl') ? 'hitl' : 'resume',
    };
  }

  private async whenStopped(address: RunAddress): Promise<RunRecord> {
    const run = await this.live.acquire(address.runId, this.shell);
    if (run !== null && statusOf(run.durable) === 'running') {
      const record = await this.settling.next(address.runId, this.timing.waitMs, (live) =>
        this.reader.recordOfLive(live),
      );
      if (record !== null) return record;
    }
    return this.reader.record(address);
  }
}

/** The gate that a decision is for, or null when there is nothing to decide and nothing wrong with that. */
function gateFor(state: RunState, request: RespondRequest): number | null {
  const { gateId = null, approved, runId } = request;
  if (isOver(state)) {
    const isSame = state.decisions.some(
      (decision, id) => decision.approved === approved && (gateId === null || id === gateId),
    );
    if (isSame) return null;
    throw new UnknownRunError(
      runId,
      `The run is over (${statusOf(state)}): nobody waits for this decision any more.`,
    );
  }
  if (gateId !== null) {
    if (state.gates.has(gateId)) return gateId;
    if (state.decisions.has(gateId)) return null;
    throw new InvalidRequestError(`The run has no gate ${gateId}: leave gateId out or name an open gate.`);
  }
  if (state.gates.size > 1) {
    throw new AmbiguousGateError(
      [...state.gates]
        .sort(([a], [b]) => a - b)
        .map(([id, { unitId, title }]) => ({ gateId: id, unitId, title })),
    );
  }
  return state.gates.keySeq().first() ?? null;
}
