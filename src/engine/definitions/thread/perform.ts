import { YamlLoadError, YamlValidationError } from '../../../errors/document-errors.js';
import type { JsonObject } from '../../core/json.js';
import { WORKFLOW_BOUNDS } from '../../language/document-bounds.js';
import { inputFaults, THREAD_LIMITS, tooMuchFault } from '../../language/input/input-schema.js';
import { checkedOf, compileDocument } from '../compile-document.js';
import { comparedLines, THREAD_COMPARING } from './compared-lines.js';
import { unitContents } from './compared-units.js';
import type { DocumentsJob, JobResult } from './job.js';
import { placeInDocument } from './place-in-document.js';

/** Schemas that were parsed for inputs, the most recently used last; the thread's memory is bounded. */
const schemas = new Map<string, JsonObject>();
const MAX_SCHEMAS = 16;

/** Does a job that the event loop handed over. Never throws. */
export function perform(job: DocumentsJob): JobResult {
  try {
    switch (job.kind) {
      case 'compile': {
        const { text, warnings, children } = compileDocument(job.document, WORKFLOW_BOUNDS);
        return { kind: 'compiled', text, warnings, children };
      }
      case 'check':
        return { kind: 'accepted', checked: checkedOf(compileDocument(job.document, WORKFLOW_BOUNDS)) };
      case 'check-input':
        return check(job);
      case 'read-units':
        return { kind: 'units', contents: unitContents(job.yaml) };
      case 'locate':
        return { kind: 'located', place: placeInDocument(job) };
      case 'compare-lines':
        return { kind: 'compared', text: comparedLines(job.from, job.to, THREAD_COMPARING) };
    }
  } catch (error) {
    if (error instanceof YamlValidationError)
      return { kind: 'refused', as: 'validation', faults: error.details };
    if (error instanceof YamlLoadError) return { kind: 'refused', as: 'load', faults: error.details };
    return {
      kind: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function check({ schema: text, input }: Extract<DocumentsJob, { kind: 'check-input' }>): JobResult {
  const schema = schemas.get(text) ?? (JSON.parse(text) as JsonObject);
  schemas.delete(text);
  schemas.set(text, schema);
  for (const oldest of schemas.keys()) {
    if (schemas.size <= MAX_SCHEMAS) break;
    schemas.delete(oldest);
  }
  const faults = inputFaults(schema, JSON.parse(input) as JsonObject, THREAD_LIMITS);
  return { kind: 'checked', faults: typeof faults === 'string' ? [tooMuchFault(faults)] : faults };
}
