import { UnknownRunError } from '../../../errors/run-errors.js';
import type { RunEvent, RunFailed } from '../../core/log/event.js';
import type { Failure } from '../../core/log/failure.js';
import { compensationOf } from '../../core/state/debts/compensation-summary.js';
import type { RunState } from '../../core/state/state.js';
import { openWaitsOf } from '../../core/state/view/open-waits.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { Sealer } from '../../definitions/sealer.js';
import type { DocumentComparer } from '../../definitions/thread/document-comparer.js';
import type { DefinitionStore } from '../../ports/store/definition-store.js';
import type { RunIndex } from '../../ports/store/run-index.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { FullRunRecord, RunFailureDetails } from '../../run-record.js';
import { inSlices } from '../../scheduling/slice.js';
import { failureOfRun } from './failure-of-run.js';
import { recordInFullSteps } from './record.js';
import { RunLogPages } from './run-log-pages.js';
import type { RunAddress, RunReader } from './run-reader.js';

/** Failures that are kept: a run that is polled is looked into once. */
const MOST_KEPT = 500;
/** The call that failed a run is among the events before its end: its attempts are looked for in so many of them. */
const EVENTS_LOOKED_AT = 200;

export interface FullRecordsOptions {
  readonly store: RunLog & Pick<RunIndex, 'readRoot'> & Pick<DefinitionStore, 'readDefinition'>;
  readonly reader: Pick<RunReader, 'state' | 'foldAsLongLoad' | 'toldMessages'>;
  readonly registry: Pick<WorkflowRegistry, 'pinnedTo'>;
  readonly sealer: Sealer;
  readonly comparer: Pick<DocumentComparer, 'place'>;
}

/** What a run failed with, and the seq of the event that says so: a resume makes it another one. */
interface KnownFailure {
  readonly seq: number;
  readonly failure: RunFailureDetails;
}

/** Reads all that is known of a run, whatever its status. */
export class FullRecords {
  private readonly log: RunLogPages;
  private readonly known = new Map<string, KnownFailure>();

  constructor(private readonly options: FullRecordsOptions) {
    this.log = new RunLogPages(options.store);
  }

  /** Throws an `UnknownRunError`. */
  async read(address: RunAddress): Promise<FullRunRecord> {
    const { store, reader } = this.options;
    const { runId } = address;
    const state = await reader.state(address);
    const row = await store.readRow({ runId });
    if (row === null) throw new UnknownRunError(runId);
    const messages = reader.toldMessages(row, await this.log.newestMessages(runId, state.seq));
    return {
      ...(await inSlices(recordInFullSteps(state, messages))),
      failure: await this.failure(state),
      waits: openWaitsOf(state),
      compensation: compensationOf(state),
      parentRunId: row.parentRunId,
      rootRunId: await store.readRoot({ runId }),
    };
  }

  private async failure(state: RunState): Promise<RunFailureDetails | null> {
    const { runId, endedSeq, phase, error } = state;
    if (phase !== 'failed') return null;
    const known = this.known.get(runId);
    if (known?.seq === endedSeq) return known.failure;
    const failure = await this.found(state, error ?? 'The run failed');
    this.known.delete(runId);
    this.known.set(runId, { seq: endedSeq, failure });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST_KEPT) break;
      this.known.delete(oldest);
    }
    return failure;
  }

  /** Its log has one sentence of it: the rest is found by deciding once more what was decided there. */
  private async found(state: RunState, message: string): Promise<RunFailureDetails> {
    const { runId, namespace, workflowId, definitionHash: hash, endedSeq } = state;
    const unknown = { unitId: null, path: null, line: null, column: null, attempts: 0, code: null, message };
    const [failed] = await this.log.after(runId, endedSeq - 1, 1);
    if (failed?.type !== 'run-failed') return unknown;
    const { state: before } = await this.options.reader.foldAsLongLoad({ runId, namespace }, endedSeq - 1);
    const { plan } = await this.options.registry.pinnedTo({ namespace, workflowId, hash });
    const failure = await inSlices(failureOfRun(plan, before, failed));
    if (failure === null) return unknown;
    const { unitId = null } = failure;
    const { path, ...call } = await this.traced(runId, failed, failure);
    const { line = null, column = null } = (await this.place(state, path, unitId)) ?? {};
    return { unitId, path, line, column, ...call, message };
  }

  /**
   * The failure where it began: a try that passed it on stands for it in the state. Calls of a workflow that catches nothing say
   * in their own events only how often they were tried.
   */
  private async traced(
    runId: string,
    { seq }: RunFailed,
    { code, path, unitId, attempts, message }: Failure,
  ): Promise<Pick<Failure, 'path' | 'attempts' | 'code'>> {
    const after = Math.max(0, seq - 1 - EVENTS_LOOKED_AT);
    const events = await this.log.after(runId, after, seq - 1 - after);
    const passedOn = events.findLast((event) => failureIn(event)?.message === message);
    const first = passedOn === undefined ? null : failureIn(passedOn);
    if (first !== null) return { path: first.path, attempts: first.attempts, code: first.code };
    if (code !== 'unit' || unitId === undefined || attempts > 0) return { path, code, attempts };
    const call = events.findLast(
      (event) => event.type === 'unit-failed' && event.unitId === unitId && event.error === message,
    );
    if (call?.type !== 'unit-failed') return { path, code, attempts };
    const isBudget = events.some(
      (event) => event.type === 'budget-exceeded' && event.executionId === call.executionId,
    );
    return isBudget ? { path, code: 'budget', attempts: 0 } : { path, code, attempts: call.attempt };
  }

  private async place({ namespace, definitionHash: hash }: RunState, path: string, unitId: string | null) {
    const { store, sealer, comparer } = this.options;
    const stored = path === '' ? null : await store.readDefinition({ namespace, hash });
    return stored === null ? null : comparer.place({ yaml: sealer.open(stored.yaml), path, unitId });
  }
}

/** What failed, where the event is one of a try or of something that closes early. */
function failureIn(event: RunEvent): Failure | null {
  const { type } = event;
  if (type === 'unwinding' || type === 'failure-caught' || type === 'finally-begun' || type === 'try-left')
    return event.error;
  return null;
}
