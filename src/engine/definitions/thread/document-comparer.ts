import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { TextPosition } from '../../language/reader/positions/source-text.js';
import type { WorkflowDiff } from '../../workflow-versions.js';
import { isShortDocument } from '../short-document.js';
import type { JobResult } from './job.js';
import type { Lost } from './job-thread.js';
import { JobThreads } from './job-threads.js';
import type { Side } from './compared-lines.js';
import type { UnitContents } from './compared-units.js';
import type { SoughtNode } from './place-in-document.js';

/** Replaces a diff that is too long to read, or takes too long to make. */
const TOO_DIFFERENT =
  'The two documents are too long, or too different, to be shown line by line: read both of them by their hashes';

/**
 * Compares accepted documents, and finds nodes in them, without blocking the event loop: short ones inline, others in threads of its own, so that no
 * registration waits for them. Callers share the threads in rounds (decision 0092).
 */
export class DocumentComparer {
  private readonly threads: JobThreads | null;

  /** `worker`: the file of the threads; null does all of it on the event loop. */
  constructor(worker: URL | null) {
    this.threads = worker === null ? null : new JobThreads({ name: 'document comparer', url: worker });
  }

  /** Throws a `BusyError` while too many others wait. `caller`: whose share of the threads it takes. */
  async compare(from: Side, to: Side, caller = ''): Promise<WorkflowDiff> {
    const text = await this.lines(from, to, caller);
    const [before, after] = [await this.units(from.text, caller), await this.units(to.text, caller)];
    const { comparedUnits } = await tools();
    return { text: text ?? TOO_DIFFERENT, units: comparedUnits(before, after) };
  }

  /** Where a node is written. Null: that would take too long. Throws a `BusyError` as `compare` does. */
  async place(sought: SoughtNode, caller = ''): Promise<TextPosition | null> {
    const { threads } = this;
    if (threads === null || isShortDocument(sought.yaml)) return (await tools()).placeInDocument(sought);
    const result = await threads.do({ kind: 'locate', ...sought }, caller);
    if (result === 'time' || result === 'memory') return null;
    if (isResult(result) && result.kind === 'located') return result.place;
    throw unforeseen(result);
  }

  async close(): Promise<void> {
    await this.threads?.close();
  }

  /** Null: there is too much to show. */
  private async lines(from: Side, to: Side, caller: string): Promise<string | null> {
    const { threads } = this;
    const isShort = isShortDocument(from.text) && isShortDocument(to.text);
    if (threads === null || isShort) {
      const { comparedLines, LOOP_COMPARING } = await tools();
      const text = comparedLines(from, to, LOOP_COMPARING);
      if (threads === null || text !== null) return text;
    }
    const result = await threads.do({ kind: 'compare-lines', from, to }, caller);
    if (result === 'time' || result === 'memory') return null;
    if (isResult(result) && result.kind === 'compared') return result.text;
    throw unforeseen(result);
  }

  private async units(yaml: string, caller: string): Promise<UnitContents> {
    const { threads } = this;
    if (threads === null || isShortDocument(yaml)) return (await tools()).unitContents(yaml);
    const result = await threads.do({ kind: 'read-units', yaml }, caller);
    if (isResult(result) && result.kind === 'units') return result.contents;
    throw unforeseen(result);
  }
}

/** A process that compares nothing does not load them. */
async function tools() {
  const [lines, units, places] = await Promise.all([
    import('./compared-lines.js'),
    import('./compared-units.js'),
    import('./place-in-document.js'),
  ]);
  return { ...lines, ...units, ...places };
}

function isResult(result: JobResult | Lost): result is JobResult {
  return typeof result !== 'string';
}

/** Unforeseen, because each document was compiled once, which takes more than reading it. */
function unforeseen(result: JobResult | Lost): Error {
  if (result === 'closed') return new ShuttingDownError();
  if (typeof result === 'string')
    return new Error(`a document that was accepted takes too much ${result} to read`);
  return new Error(result.kind === 'failed' ? result.message : `no answer to that: ${result.kind}`);
}
