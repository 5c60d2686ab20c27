import { YamlLoadError, YamlValidationError } from '../../../errors/document-errors.js';
import { InvalidInputError } from '../../../errors/request-errors.js';
import { ShuttingDownError } from '../../../errors/service-errors.js';
import type { JsonObject } from '../../core/json.js';
import { BoundsExceeded, LOOP_BOUNDS, WORKFLOW_BOUNDS } from '../../language/document-bounds.js';
import type { InputFault } from '../../language/input/validator.js';
import type { CheckedDocument, CompiledDocument, DocumentJob } from '../compile-document.js';
import { languageTools, languageToolsAtHand } from '../language-tools.js';
import { isShortDocument } from '../short-document.js';
import type { DocumentsJob, JobResult } from './job.js';
import type { Lost } from './job-thread.js';
import { JobThreads } from './job-threads.js';

type Compiled = Pick<CompiledDocument, 'plan' | 'about' | 'text' | 'warnings' | 'children'>;

/**
 * Compiles documents and checks inputs without blocking the event loop: inline where that takes milliseconds, as for nearly
 * all, and otherwise in threads that are bounded in time and memory. Documents and inputs have separate threads, so that a
 * start never waits for a registration. Callers share the threads in rounds (decision 0092).
 */
export class OffLoop {
  private readonly documents: JobThreads | null;
  private readonly inputs: JobThreads | null;

  /** `worker`: the file of the threads; null does all of it on the event loop. */
  constructor(worker: URL | null) {
    const threads = (name: string) => (worker === null ? null : new JobThreads({ name, url: worker }));
    this.documents = threads('document compiler');
    this.inputs = threads('input checker');
  }

  /** Throws a `YamlValidationError`, a `YamlLoadError` or a `BusyError`. `caller`: whose share of the threads it takes. */
  async compile(job: DocumentJob, caller = ''): Promise<Compiled> {
    const compiled = await this.compiledAtOnce(job);
    if (compiled !== null) return compiled;
    const result = await this.compiledInThread({ kind: 'compile', document: job }, caller);
    if (result.kind !== 'compiled') throw unforeseen(result);
    const { readPlanText } = await languageTools();
    const { text, warnings, children } = result;
    return { ...readPlanText(text), text, warnings, children };
  }

  /** As `compile`, for a document that is not going to be run. */
  async check(job: DocumentJob, caller = ''): Promise<CheckedDocument> {
    const compiled = await this.compiledAtOnce(job);
    if (compiled !== null) return (await languageTools()).checkedOf(compiled);
    const result = await this.compiledInThread({ kind: 'check', document: job }, caller);
    if (result.kind !== 'accepted') throw unforeseen(result);
    return result.checked;
  }

  /** Null: the document is left to the threads. */
  private async compiledAtOnce(job: DocumentJob): Promise<Compiled | null> {
    const { compileDocument } = await languageTools();
    if (this.documents === null) return compileDocument(job, WORKFLOW_BOUNDS);
    if (!isShortDocument(job.yaml)) return null;
    try {
      return compileDocument(job, LOOP_BOUNDS);
    } catch (error) {
      if (error instanceof BoundsExceeded) return null;
      throw error;
    }
  }

  private async compiledInThread(job: DocumentsJob, caller: string): Promise<JobResult> {
    if (this.documents === null) throw new Error('There are no threads for documents');
    const result = await this.documents.do(job, caller);
    if (typeof result === 'string') throw lostDocument(result);
    if (result.kind !== 'refused') return result;
    throw result.as === 'load' ? new YamlLoadError(result.faults) : new YamlValidationError(result.faults);
  }

  /** Checks an input, inline where that is quick. `caller`: whose share of the threads it takes. */
  checkInput(
    schema: JsonObject,
    input: JsonObject,
    caller = '',
  ): readonly InputFault[] | Promise<readonly InputFault[]> {
    const tools = languageToolsAtHand();
    if (tools === null) return languageTools().then(() => this.checkInput(schema, input, caller));
    const { ALONE_LIMITS, LOOP_LIMITS, inputFaults, tooMuchFault } = tools;
    const faults = inputFaults(schema, input, this.inputs === null ? ALONE_LIMITS : LOOP_LIMITS);
    if (typeof faults !== 'string') return faults;
    return this.inputs === null ? [tooMuchFault(faults)] : checkIn(this.inputs, schema, input, caller);
  }

  async close(): Promise<void> {
    await Promise.all([this.documents?.close(), this.inputs?.close()]);
  }
}

async function checkIn(
  threads: JobThreads,
  schema: JsonObject,
  input: JsonObject,
  caller: string,
): Promise<readonly InputFault[]> {
  const job = { kind: 'check-input', schema: JSON.stringify(schema), input: JSON.stringify(input) } as const;
  const result = await threads.do(job, caller);
  if (typeof result === 'string') throw lostInput(result);
  if (result.kind === 'checked') return result.faults;
  throw unforeseen(result);
}

const WHAT: Readonly<Record<Exclude<Lost, 'closed'>, string>> = {
  time: 'takes too long',
  memory: 'takes too much memory',
};

function lostDocument(lost: Lost): Error {
  if (lost === 'closed') return new ShuttingDownError();
  const message = `the workflow ${WHAT[lost]} to compile: shorten it, or split it into several`;
  return new YamlLoadError([{ path: '', line: null, column: null, message }]);
}

function lostInput(lost: Lost): Error {
  if (lost === 'closed') return new ShuttingDownError();
  const message = `input ${WHAT[lost]} to check against spec.input: shorten it, or make spec.input simpler`;
  return new InvalidInputError([{ path: '', message }]);
}

function unforeseen(result: JobResult): Error {
  return new Error(result.kind === 'failed' ? result.message : `no answer to that: ${result.kind}`);
}
