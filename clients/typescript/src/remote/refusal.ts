import { FlowgateApiError } from '../errors/api-error.js';
import type { ErrorDetail } from '../errors/error-detail.js';
import { FlowgateValidationError, type DocumentFault } from '../errors/validation-error.js';
import { inClientWords } from './client-words.js';

const DOCUMENT_ERRORS: readonly unknown[] = ['YamlValidationError', 'YamlLoadError'];
const MAX_DETAILS = 100;
const MAX_ERROR_CHARS = 64 * 1024;
const MAX_QUOTED_CHARS = 200;
/** What of a page is looked through for something to quote. */
const MAX_SEARCHED_CHARS = 10_000;

/** What came back with a status that is no success, its body already read. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | null;
  readonly retryAfterMs: number | undefined;
  /** Of the service. */
  readonly address: string;
  /** What to do where the service does not know who is asking. */
  readonly advice: string;
}

/** The service's own words; of anything else that answers instead, that it is not the service. */
export function refusalOf(refused: Refused): FlowgateApiError {
  const { status, retryAfterMs } = refused;
  const body = jsonOf(refused.text);
  if (!isRecord(body) || typeof body['error'] !== 'string') {
    return new FlowgateApiError({ status, error: strangeAnswer(refused), retryAfterMs });
  }
  const { type, code, detail } = body;
  const error = body['error'].slice(0, MAX_ERROR_CHARS);
  const fields = {
    status,
    ...inClientWords(typeof detail === 'string' ? { error, detail } : { error }),
    type: textOr(type),
    code: textOr(code),
    retryAfterMs,
  };
  const given: readonly unknown[] = Array.isArray(body['details']) ? body['details'] : [];
  const details = given.filter(isRecord).slice(0, MAX_DETAILS);
  return DOCUMENT_ERRORS.includes(type) && details.every(isFault)
    ? new FlowgateValidationError({ ...fields, faults: details })
    : new FlowgateApiError({ ...fields, details }, hintOf(refused, fields));
}

/** What the client knows of its token, unless the refusal has said it. */
function hintOf(
  { advice }: Refused,
  { error, code }: { readonly error: string; readonly code: string | undefined },
): { readonly hint?: string } {
  const isSaid = error.toLowerCase().includes(advice.toLowerCase());
  return code === 'unauthorized' && !isSaid ? { hint: advice } : {};
}

/** A page of a proxy, or of something that has nothing to do with us. */
export function strangeAnswer({
  status,
  text,
  contentType,
  address,
}: Omit<Refused, 'retryAfterMs' | 'advice'>): string {
  const quoted = text
    .slice(0, MAX_SEARCHED_CHARS)
    .replaceAll(/<(script|style)[^]*?<\/\1>|<[^>]*>|[\s\p{Cc}]+/giu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, MAX_QUOTED_CHARS);
  const kind = contentType === null || contentType === '' ? 'no content type' : contentType.slice(0, 100);
  return (
    `${address} answered ${status} with something that is not Flowgate's (${kind}): check baseUrl, and what stands in ` +
    `front of the service${quoted === '' ? '' : `. It says: ${quoted}`}`
  );
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is ErrorDetail {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFault(detail: ErrorDetail): detail is ErrorDetail & DocumentFault {
  const { path, message, line, column } = detail;
  const isPlace = (place: unknown): boolean => place === null || typeof place === 'number';
  return typeof path === 'string' && typeof message === 'string' && isPlace(line) && isPlace(column);
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
