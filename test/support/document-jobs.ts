import type { DocumentJob } from '../../src/engine/definitions/compile-document.js';
import { NO_CEILINGS } from '../../src/engine/language/ceilings.js';
import { LANGUAGE } from '../../src/engine/language/language.js';
import type { Job } from '../../src/engine/definitions/thread/job.js';

/** A document as a registration gives it; its unit may be `work`, which is in the process, or one of those that are bound. */
export const documentJob = (yaml: string, bound: readonly string[] = []): DocumentJob => ({
  yaml,
  apiGroups: ['flowgate'],
  inProcess: ['work'],
  bound,
  language: LANGUAGE,
  ceilings: NO_CEILINGS,
  wasAccepted: false,
  acceptedAs: null,
});

/** What the thread for documents and inputs is given to compile `yaml`. */
export const compileJob = (yaml: string): Job => ({ kind: 'compile', document: documentJob(yaml) });

const child = { properties: { a: { $ref: '#/$defs/n' } } };
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

/**
 * A few characters, and never done. Every value fits, so that no mistakes are gathered:
 * its time is over before its memory is, on any machine.
 */
export const endlessJob: Job = {
  kind: 'check-input',
  schema: JSON.stringify({ $defs: { n: { allOf: [child, child] } }, $ref: '#/$defs/n' }),
  input: JSON.stringify(nested(60)),
};
