import { createHash } from 'node:crypto';
import type { JsonValue } from '../../core/json.js';
import type { Plan } from '../../core/plan/plan.js';
import { canonicalJson } from '../../json/canonical-json.js';
import type { WorkflowDocument } from '../document.js';
import type { Language } from '../language.js';
import { encodePlan } from './plan-codec.js';

/**
 * SHA-256, in hex, over the document, how each `uses` resolved, the plan with every default as it was resolved, and the
 * language's revision. It names a definition permanently and is never computed again for one that is stored.
 */
export function planHash(
  document: WorkflowDocument,
  sources: ReadonlyMap<string, string>,
  plan: Omit<Plan, 'hash'>,
  language: Language,
): string {
  const resolved = Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1)));
  const content = {
    language: language.revision,
    document: document as unknown as JsonValue,
    resolved,
    plan: encodePlan({ ...plan, hash: '' }) as unknown as JsonValue,
  };
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
