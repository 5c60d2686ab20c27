import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { WorkflowDiff } from '../../workflow-versions.js';
import { isShortDocument } from '../short-document.js';
import type { JobAnswer } from '../thread/job.js';
import type { Lost } from '../thread/job-thread.js';
import { JobThreads } from '../thread/job-threads.js';
import type { Side } from './compared-lines.js';
import type { UnitContents } from './compared-units.js';

/** What stands in the place of a diff that nobody would read, or wait for. */
const TOO_DIFFERENT =
  'The two documents are too long, or too different, to be shown line by line: read both of them by their hashes';

/**
 * Compares accepted documents without keeping anybody else waiting: short ones at once, others in threads of its own, so
 * that no registration waits for it; callers take turns in them (decision 0092).
 */
export class DocumentComparer {
  private readonly threads: JobThreads | null;

  /** `worker`: the file of the threads; null does all of it on the event loop. */
  constructor(worker: URL | null) {
    this.threads = worker === null ? null : new JobThreads({ name: 'document comparer', url: worker });
  }

  /** Throws a `BusyError` while very many others are compared. `caller`: whose share of the threads it takes. */
  async compare(from: Side, to: Side, caller = ''): Promise<WorkflowDiff> {
    const text = await this.lines(from, to, caller);
    const [before, after] = [await this.units(from.text, caller), await this.units(to.text, caller)];
    const { comparedUnits } = await tools();
    return { text: text ?? TOO_DIFFERENT, units: comparedUnits(before, after) };
  }

  async close(): Promise<void> {
    await this.threads?.close();
  }

  /** Null: too much to be shown. */
  private async lines(from: Side, to: Side, caller: string): Promise<string | null> {
    const { threads } = this;
    const isShort = isShortDocument(from.text) && isShortDocument(to.text);
    if (threads === null || isShort) {
      const { comparedLines, LOOP_COMPARING } = await tools();
      const text = comparedLines(from, to, LOOP_COMPARING);
      if (threads === null || text !== null) return text;
    }
    const answer = await threads.do({ kind: 'compare-lines', from, to }, caller);
    if (answer === 'time' || answer === 'memory') return null;
    if (isAnswer(answer) && answer.kind === 'compared') return answer.text;
    throw unforeseen(answer);
  }

  private async units(yaml: string, caller: string): Promise<UnitContents> {
    const { threads } = this;
    if (threads === null || isShortDocument(yaml)) return (await tools()).unitContents(yaml);
    const answer = await threads.do({ kind: 'read-units', yaml }, caller);
    if (isAnswer(answer) && answer.kind === 'units') return answer.contents;
    throw unforeseen(answer);
  }
}

/** A process that compares nothing does not load them. */
async function tools() {
  const [lines, units] = await Promise.all([import('./compared-lines.js'), import('./compared-units.js')]);
  return { ...lines, ...units };
}

function isAnswer(answer: JobAnswer | Lost): answer is JobAnswer {
  return typeof answer !== 'string';
}

/** Each document was compiled once, which takes more than to be read. */
function unforeseen(answer: JobAnswer | Lost): Error {
  if (answer === 'closed') return new ShuttingDownError();
  if (typeof answer === 'string')
    return new Error(`a document that was accepted takes too much ${answer} to read`);
  return new Error(answer.kind === 'failed' ? answer.message : `no answer to that: ${answer.kind}`);
}
