import { InvalidRequestError } from '../../../../errors/request-errors.js';
import type { RunEvent } from '../../../core/log/event.js';
import type { Plan } from '../../../core/plan/plan.js';
import type { RunState } from '../../../core/state/state.js';
import { jobOfExported } from '../../../definitions/exported-definition.js';
import type { OffLoop } from '../../../definitions/thread/off-loop.js';
import { DEFAULTS } from '../../../engine-defaults.js';
import { LANGUAGE } from '../../../language/language.js';
import { inSlices } from '../../../scheduling/slice.js';
import { logSteps } from '../checked-log.js';
import { foldSteps } from '../folded-log.js';
import { exportSteps, type ReadExport } from '../read-export.js';
import { replaySteps, type ReplayResult } from './replay-log.js';

export interface ReplayRequest {
  /** What an export gave, as it was. */
  readonly ndjson: Uint8Array;
  /** The exports of the runs that it is a fork of, if it is one; in any order. */
  readonly sources?: readonly Uint8Array[];
  /** Groups that the document's `apiVersion` may name. Default: `flowgate`. */
  readonly apiGroups?: readonly string[];
}

export interface Replay extends ReplayResult {
  readonly runId: string;
  readonly workflowId: string;
  /** The number of events in its log. */
  readonly events: number;
  /** Whether the document comes to the definition that the run is pinned to. */
  readonly isSameDefinition: boolean;
}

interface OpenedExport {
  readonly read: ReadExport;
  readonly plan: Plan;
  readonly events: readonly RunEvent[];
}

/**
 * Goes through an exported run with the engine of this version: its document is compiled again, events from outside are
 * taken as they were recorded, and each engine event is compared with what the engine does today. Throws an
 * `InvalidRequestError`, a `YamlValidationError` or a `YamlLoadError`.
 */
export async function replayExport(
  { ndjson, sources = [], apiGroups = DEFAULTS.apiGroups }: ReplayRequest,
  compiler: OffLoop,
): Promise<Replay> {
  const open = (bytes: Uint8Array): Promise<OpenedExport> => opened(bytes, apiGroups, compiler);
  const run = await open(ndjson);
  const others = new Map<string, OpenedExport>();
  for (const bytes of sources) {
    const other = await open(bytes);
    others.set(other.read.header.runId, other);
  }
  const source = await sourceOf(run, others);
  const { plan, events } = run;
  // As in an import, what is no log of a run of this workflow is refused before anything is compared.
  await inSlices(foldSteps({ events, plan, source }));
  const result = await inSlices(replaySteps({ events, plan, source }));
  const { runId, workflowId, hash } = run.read.header;
  return { runId, workflowId, events: events.length, isSameDefinition: plan.hash === hash, ...result };
}

async function opened(
  bytes: Uint8Array,
  apiGroups: readonly string[],
  compiler: OffLoop,
): Promise<OpenedExport> {
  const read = await inSlices(exportSteps(Buffer.from(bytes)));
  const { plan } = await compiler.compile(jobOfExported(read.header, apiGroups, LANGUAGE));
  return { read, plan, events: await inSlices(logSteps(read)) };
}

/** The state with which a fork began; null: it is none, or began anew. */
async function sourceOf(fork: OpenedExport, others: Map<string, OpenedExport>): Promise<RunState | null> {
  const [, second] = fork.events;
  if (second?.type !== 'run-forked' || second.fromSeq === 0) return null;
  const { fromRunId, fromSeq } = second;
  const other = others.get(fromRunId);
  if (other === undefined || other.events.length < fromSeq) {
    throw new InvalidRequestError(
      `The run is a fork of the run ${fromRunId} after its event ${fromSeq}: give the export of that run, too (--source)`,
    );
  }
  // Each is used once: runs that are forks of one another come to nothing.
  others.delete(fromRunId);
  const source = await sourceOf(other, others);
  return inSlices(foldSteps({ events: other.events.slice(0, fromSeq), plan: other.plan, source }));
}
