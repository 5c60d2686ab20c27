import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { createHash } from 'node:crypto';
import { IdempotencyConflictError } from '../../../errors/request-errors.js';
import type { JsonValue } from '../../core/json.js';
import { canonicalJson } from '../../json/canonical-json.js';
import type { IdempotencyRecord } from '../../ports/store/append.js';
import type { RunLog } from '../../ports/store/run-log.js';

/** A request as its `Idempotency-Key` remembers it. */
export interface KeyedRequest {
  /**
   * `start:<workflowId>`, or one of `resume`, `hitl`, `cancel`, `pause` and `:<runId>`; a run id is unique in all
   * namespaces.
   */
  readonly scope: string;
  readonly key: string;
  /** What must be the same when the key comes again. */
  readonly content: JsonValue;
  /** The account whose key it is: the key of another one is another request. Absent: nobody was authenticated. */
  readonly owner?: string | undefined;
}

/**
 * In the namespace `default` the scope is as it always was; in others its first part is one that no workflow id can begin
 * with.
 */
export function startScope(namespace: string, workflowId: string): string {
  return namespace === DEFAULT_NAMESPACE ? `start:${workflowId}` : `start\n${namespace}\n${workflowId}`;
}

/**
 * The run that the same request made before, or null for a key that is new. Throws an
 * `IdempotencyConflictError` when the key stands for another request.
 */
export async function earlierRun(
  store: Pick<RunLog, 'readIdempotency'>,
  request: KeyedRequest,
): Promise<string | null> {
  const known = await store.readIdempotency({ scope: request.scope, key: request.key });
  if (known === null) return null;
  if (!isOf(request, known.fingerprint)) throw new IdempotencyConflictError(request.key);
  return known.runId;
}

export function idempotencyRecord(request: KeyedRequest, runId: string): IdempotencyRecord {
  const { scope, key, content, owner } = request;
  return { scope, key, fingerprint: fingerprintOf(owner === undefined ? content : [owner, content]), runId };
}

/** A key that was stored before anybody was authenticated stands for the same request of whomever, as it did then. */
function isOf({ content, owner }: KeyedRequest, fingerprint: string): boolean {
  if (owner !== undefined && fingerprint === fingerprintOf([owner, content])) return true;
  return fingerprint === fingerprintOf(content);
}

function fingerprintOf(content: JsonValue): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
