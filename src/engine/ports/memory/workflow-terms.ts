import type { WorkflowPatterns } from '../access/workflow-patterns.js';
import { inNamespace, type QueryTerm } from './memory-terms.js';

/** From the private use area, as the sign of namespaces: no term of a text has it, and for SQLite's tokenizer it is part of the word. */
const SIGN = '\uE001';
/** No workflow has a longer id. An entry with one is of no workflow, and shown to those who are shown all. */
const MAX_ID_CHARS = 256;

/** The workflow that the entry with this metadata is of; empty: none that can be shown. */
export function workflowOf({ workflowId }: Readonly<Record<string, unknown>>): string {
  return typeof workflowId === 'string' && workflowId.length <= MAX_ID_CHARS ? workflowId : '';
}

/** The term by which the entries of a workflow are found next to their words. It begins no other one's. */
export function termOfWorkflow(workflowId: string, namespace: string): string {
  return inNamespace(`${SIGN}${hexOf(workflowId)}${SIGN}`, namespace);
}

/** The terms that find the entries of the workflows that fit. */
export function termsOfPatterns(patterns: WorkflowPatterns, namespace: string): readonly QueryTerm[] {
  return patterns.map((pattern) =>
    pattern.endsWith('*')
      ? { text: inNamespace(`${SIGN}${hexOf(pattern.slice(0, -1))}`, namespace), isPrefix: true }
      : { text: termOfWorkflow(pattern, namespace), isPrefix: false },
  );
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}
