import { createHash } from 'node:crypto';
import type { JsonValue } from '../core/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import type { WorkflowDocument } from './document.js';

/** Grows when the same document would mean something else. */
const LANGUAGE_REVISION = 1;

/** SHA-256, in hex, over the document, how each `uses` resolved, and the language revision. */
export function planHash(document: WorkflowDocument, sources: ReadonlyMap<string, string>): string {
  const resolved = Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1)));
  const content = { language: LANGUAGE_REVISION, document: document as unknown as JsonValue, resolved };
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
