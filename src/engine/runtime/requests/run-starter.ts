import { InvalidInputError } from '../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../errors/service-errors.js';
import { UnknownWorkflowError } from '../../../errors/run-errors.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { statusOf, type RunStatus } from '../../core/state/status.js';
import type { Ids } from '../../ports/ids.js';
import type { RunRecord } from '../../run-record.js';
import type { Definition } from '../../definitions/definition.js';
import type { Definitions } from '../../definitions/definitions.js';
import { earlierRun, idempotencyRecord, type KeyedRequest } from './idempotency.js';
import { StartConflict } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import { startedRecord } from './record.js';
import type { RunReader } from './run-reader.js';
import type { RunShell } from '../mailbox/run-shell.js';
import type { Settling } from './settling.js';

export interface StartRequest {
  readonly workflowId: string;
  /** The first keys of the shared state. Default: none. */
  readonly input?: JsonObject | undefined;
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** The same key with the same request answers with the run that the first one made. */
  readonly idempotencyKey?: string | null | undefined;
}

const WILL_MOVE: ReadonlySet<RunStatus> = new Set(['pending', 'running']);

/** A deep, frozen copy of a JSON value, or what keeps it from being one (it follows a noun). */
export type FrozenCopy = (
  value: unknown,
) => { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly problem: string };

/** Starts runs, and answers for them. */
export class RunStarter {
  constructor(
    private readonly definitions: Definitions,
    private readonly live: LiveRuns,
    private readonly reader: RunReader,
    private readonly settling: Settling,
    private readonly ids: Ids,
    private readonly shell: RunShell,
    private readonly frozenCopy: FrozenCopy,
  ) {}

  /**
   * Throws an `UnknownWorkflowError`, an `InvalidInputError`, an `IdempotencyConflictError` or a
   * `ShuttingDownError`. A run that fails is an answer, not an error.
   */
  async start(request: StartRequest): Promise<RunRecord> {
    const { workflowId, sync = false } = request;
    const definition = this.definitions.current(workflowId);
    if (definition === undefined) throw new UnknownWorkflowError(workflowId);
    if (this.shell.isClosing()) throw new ShuttingDownError();
    const input = this.checkedInput(request.input ?? {}, definition);
    const keyed: KeyedRequest | null =
      typeof request.idempotencyKey === 'string'
        ? { scope: `start:${workflowId}`, key: request.idempotencyKey, content: { input, sync } }
        : null;
    if (keyed !== null) {
      const earlier = await earlierRun(this.shell.store, keyed);
      if (earlier !== null) return this.answerAgain({ workflowId, runId: earlier }, sync);
    }
    try {
      return await this.begin(definition, input, sync, keyed);
    } catch (error) {
      if (!(error instanceof StartConflict) || keyed === null) throw error;
      const earlier = await earlierRun(this.shell.store, keyed);
      if (earlier === null) throw error;
      return this.answerAgain({ workflowId, runId: earlier }, sync);
    }
  }

  private async begin(
    definition: Definition,
    input: JsonObject,
    sync: boolean,
    keyed: KeyedRequest | null,
  ): Promise<RunRecord> {
    const runId = this.ids.runId();
    const run = this.live.create(runId, definition, this.shell);
    const settled = sync ? this.settling.next(runId, null, (live) => this.reader.recordOfLive(live)) : null;
    const at = this.shell.clock.now();
    try {
      await run.send(
        { type: 'start', at, runId, input, parent: null },
        keyed === null ? null : idempotencyRecord(keyed, runId),
      );
    } catch (error) {
      this.settling.forget(runId);
      throw error;
    }
    if (settled === null) return startedRecord(run.durable);
    return (await settled) ?? startedRecord(run.durable);
  }

  private async answerAgain(
    address: { workflowId: string; runId: string },
    sync: boolean,
  ): Promise<RunRecord> {
    const record = await this.reader.record(address);
    if (!sync) {
      const { runId, workflowId, createdAt, updatedAt } = record;
      return { runId, workflowId, status: 'running', createdAt, updatedAt };
    }
    if (record.status !== 'running') return record;
    const run = await this.live.acquire(address.runId, this.shell);
    // Pending: the write that started it is in doubt, and the live run will find that it happened.
    if (run === null || !WILL_MOVE.has(statusOf(run.durable))) return this.reader.record(address);
    return (
      (await this.settling.next(address.runId, null, (live) => this.reader.recordOfLive(live))) ?? record
    );
  }

  /** A frozen copy that satisfies `spec.input`: neither the caller nor a unit can change it later. */
  private checkedInput(given: JsonObject, definition: Definition): JsonObject {
    const copy = this.frozenCopy(given);
    if (!copy.ok) throw new InvalidInputError([{ path: '', message: `input ${copy.problem}` }]);
    const input = copy.value as JsonObject;
    const faults = definition.checkInput?.(input) ?? [];
    if (faults.length > 0) throw new InvalidInputError(faults);
    return input;
  }
}
