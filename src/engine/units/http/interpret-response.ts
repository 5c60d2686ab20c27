import type { JsonValue } from '../../core/json.js';
import type { Clock } from '../../ports/clock.js';
import type { UnitOutcome } from '../../ports/unit-executor.js';
import type { TransportResponse } from '../../ports/unit-transport.js';
import { adoptJson } from '../../json/adopt-json.js';
import { exceededJsonLimit } from '../../json/exceeded-json-limit.js';
import { failedOutcome, interpretResult, type Quote } from '../outcome.js';
import { retryAfterMs } from './retry-after.js';
import { responseYielder } from './yielders.js';

type HttpResponse = Extract<TransportResponse, { kind: 'response' }>;

const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface ResponseContext {
  /** Hides the binding's secrets. */
  readonly quote: Quote;
  /** A `Retry-After` may be a date. */
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly maxResponseBytes: number;
}

/** Reading a longer response may take milliseconds: it yields to the event loop. */
export const LARGE_CHARS = 64 * 1024;

/** What a call's end means for the unit (wire contracts, "Remote unit"). A promise only for a large response. */
export function interpretResponse(
  response: TransportResponse,
  context: ResponseContext,
): UnitOutcome | Promise<UnitOutcome> {
  switch (response.kind) {
    case 'network-error':
      return failedOutcome(`network error: ${response.reason}`, { retryable: true, outcome: 'unknown' });
    case 'refused':
      return failedOutcome(context.quote(response.reason), { retryable: false, outcome: 'refused' });
    case 'too-large':
      return failedOutcome(`response is larger than ${context.maxResponseBytes} bytes`, {
        retryable: false,
        outcome: 'unknown',
      });
    case 'response':
      if (response.status < 200 || response.status > 299) return interpretRefusal(response, context);
      return response.body.length < LARGE_CHARS
        ? outcomeOfBody(response, parsed(response), context.quote)
        : interpretLargeResponse(response, context.quote);
  }
}

async function interpretLargeResponse(response: HttpResponse, quote: Quote): Promise<UnitOutcome> {
  await responseYielder.next();
  // Before parsing: a hundred thousand keys take 60 ms to parse, and refusing them afterwards takes as long again.
  const exceeded = exceededJsonLimit(response.body);
  if (exceeded !== null) return failedOutcome(`answer ${exceeded}`, { retryable: false, outcome: 'unknown' });
  const value = parsed(response);
  await responseYielder.next();
  return outcomeOfBody(response, value, quote);
}

/** The body's value as JSON; undefined: it is not JSON. */
function parsed({ body }: HttpResponse): JsonValue | undefined {
  return body === '' ? null : parseJson(body);
}

function outcomeOfBody(
  { status, headers, body }: HttpResponse,
  value: JsonValue | undefined,
  quote: Quote,
): UnitOutcome {
  if (body === '') return interpretResult(null, quote);
  const type = mediaType(headers['content-type']);
  if (isJsonType(type)) {
    if (value !== undefined) return interpretResult(value, quote, adoptJson);
    const error = `HTTP ${status}: body does not parse although its content type is JSON: `;
    return failedOutcome(`${error}${quote(body)}`, { retryable: false, outcome: 'unknown' });
  }
  // Many frameworks label a JSON text as HTML or plain text. An object or an array is taken for what it is;
  // but the text `42`, or `true`, of a unit that says it sends text stays a text.
  const isJson = value !== undefined && (type === '' || (typeof value === 'object' && value !== null));
  return interpretResult(isJson ? value : body, quote, adoptJson);
}

function interpretRefusal(
  { status, headers, body }: HttpResponse,
  { quote, clock }: ResponseContext,
): UnitOutcome {
  const retryable = RETRYABLE.has(status);
  const isRedirect = status >= 300 && status <= 399;
  const said = isRedirect ? 'redirects are not followed' : quote(body);
  return failedOutcome(said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`, {
    retryable,
    outcome: outcomeOf(status),
    retryAfterMs: retryable ? retryAfterMs(headers['retry-after'], clock.wallTime()) : null,
    status,
  });
}

/**
 * `refused` only where the status says that the unit did not do it; a later try then gets a new key, and a wrong guess would
 * do the work twice. So these are `unknown`:
 * - 408: the unit, or a proxy, gave up waiting for something; what had begun may continue;
 * - 409: how units say that a request under the same key is still under way or done;
 * - 5xx, 503 with or without `Retry-After` among them: a proxy sends it for a connection lost half-way, too;
 * - redirects but 307 and 308: after a POST they may stand for "done, look there".
 */
function outcomeOf(status: number): 'refused' | 'unknown' {
  if (status === 307 || status === 308) return 'refused';
  return status >= 400 && status <= 499 && status !== 408 && status !== 409 ? 'refused' : 'unknown';
}

function mediaType(contentType = ''): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

/** Undefined, which no JSON text stands for, when it is not JSON. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
