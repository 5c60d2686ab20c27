import { messageOf } from '../errors/message-of.js';
import { FlowgateApiError } from '../errors/api-error.js';
import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { Credentials } from './credentials.js';
import { bodyText, discard, TooLong } from './answer-body.js';
import { isRecord, jsonOf, refusalOf, strangeAnswer } from './refusal.js';
import { requestHeaders } from './request-headers.js';
import { withRetries, type Retries, type Try } from './retry.js';
import { UnansweredTries } from './unanswered-tries.js';

export interface ExchangeOptions {
  /** For messages. */
  readonly address: string;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly retries: Retries;
  readonly maxResponseBytes: number;
}

interface Sent {
  readonly url: string;
  /** Default: POST with a body, else GET. */
  readonly method?: 'DELETE';
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Of the body. Default JSON. */
  readonly contentType?: string;
  readonly idempotencyKey?: string;
}

/** A question whose answer is read while it comes. */
export interface StreamQuestion extends Sent {
  readonly accept: string;
  readonly lastEventId?: string | undefined;
}

export interface Question extends Sent {
  /** Whether the answer is one of those that were requested, whatever its status says. */
  readonly isAnswer: (body: Readonly<Record<string, unknown>>) => boolean;
  /** Statuses beyond 2xx whose body is an answer. */
  readonly alsoAnswers?: readonly number[];
  /** Of what changes something and has no key: the code of the refusal where it has been carried out already. */
  readonly codeOnceDone?: string;
}

/** A proxy in front of the service that cannot reach it, or has waited long enough, and a service that is busy. */
const PASSING: readonly number[] = [429, 502, 503, 504];
const UNAUTHORIZED = 401;

/** Sends a question, as often as the retries allow, and gives the JSON object that answers it. */
export class Exchange {
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  get retries(): Retries {
    return this.#options.retries;
  }

  /** The longest that is read as one piece, in bytes. */
  get maxPieceBytes(): number {
    return this.#options.maxResponseBytes;
  }

  get credentials(): Credentials {
    return this.#options.credentials;
  }

  ask(
    question: Question,
    signal: AbortSignal,
    retries = this.retries,
  ): Promise<Readonly<Record<string, unknown>>> {
    const unanswered = new UnansweredTries(question.codeOnceDone);
    return this.#asOften(retries, signal, async () =>
      unanswered.noted(
        await this.#try(question, signal, async (response) =>
          this.#read(question, response, await bodyText(response, this.#options.maxResponseBytes)),
        ),
      ),
    );
  }

  /** An answer whose body nobody has read yet: that is for the caller to do, or to cancel. */
  open(question: StreamQuestion, signal: AbortSignal, retries = this.retries): Promise<Response> {
    return this.#asOften(retries, signal, () =>
      this.#try<Response>(question, signal, async (response) => {
        const { status, ok, headers } = response;
        const contentType = headers.get('content-type');
        if (status === 204 || (ok && contentType?.startsWith(question.accept) === true))
          return { ok: true, value: response };
        return this.#refusal(response, await bodyText(response, this.#options.maxResponseBytes));
      }),
    );
  }

  /** A stream that broke off, or was silent for too long. */
  broken(cause: unknown): FlowgateUnreachableError {
    return this.#unreachable(cause);
  }

  /** Nobody answered in time. `longer`: what would give it longer. */
  silence(ms: number, longer: string): FlowgateUnreachableError {
    const error = `${this.#options.address} did not answer within ${ms} ms: give the call a longer ${longer}`;
    return new FlowgateUnreachableError(error, { code: 'TIMEOUT' });
  }

  /** What came is not what the service says. */
  strange(status: number, text: string): FlowgateApiError {
    const { address } = this.#options;
    return new FlowgateApiError({
      status,
      error: strangeAnswer({ status, text, contentType: null, address }),
    });
  }

  tooLong(status: number): FlowgateApiError {
    const { address, maxResponseBytes } = this.#options;
    const error = `The answer of ${address} has more than ${maxResponseBytes} bytes: raise maxResponseBytes`;
    return new FlowgateApiError({ status, error });
  }

  /** A stream that the service ended because the token is no longer good, and that no other token can take up. */
  noLongerGood(): FlowgateApiError {
    const { address, credentials } = this.#options;
    const error = `${address} ended the stream, because what it was opened with is no longer good`;
    return new FlowgateApiError(
      { status: UNAUTHORIZED, code: 'unauthorized', error },
      { hint: credentials.advice },
    );
  }

  /**
   * As often as the retries allow, and once more after a 401 where there may be another token: it comes before anything is
   * done, so that whatever was sent can be sent again.
   */
  #asOften<T>(retries: Retries, signal: AbortSignal, attempt: () => Promise<Try<T>>): Promise<T> {
    const { credentials } = this.#options;
    let isRenewed = !credentials.isRenewable;
    return withRetries(retries, signal, async () => {
      const { edition } = credentials;
      const tried = await attempt();
      if (isRenewed || tried.ok || !isUnauthorized(tried.error)) return tried;
      isRenewed = true;
      credentials.refused(edition);
      return attempt();
    });
  }

  async #try<T>(
    question: Sent & Partial<StreamQuestion>,
    signal: AbortSignal,
    read: (response: Response) => Promise<Try<T>>,
  ): Promise<Try<T>> {
    let status = 0;
    // What the caller's function throws is no fault of the connection.
    const token = await this.#options.credentials.token(signal);
    try {
      const response = await this.#send({ ...question, token }, signal);
      status = response.status;
      if (isRedirect(response)) {
        await discard(response);
        return refused(this.#redirected(response));
      }
      return await read(response);
    } catch (cause) {
      if (cause instanceof TooLong) return refused(this.tooLong(status));
      return { ok: false, error: this.#unreachable(cause), isPassing: true, retryAfterMs: undefined };
    }
  }

  #send(
    question: Sent & Partial<StreamQuestion> & { readonly token: string | undefined },
    signal: AbortSignal,
  ): Promise<Response> {
    const { fetch, headers } = this.#options;
    const { url, body, contentType = 'application/json', ...others } = question;
    const { token, accept, idempotencyKey, lastEventId } = others;
    const { method = body === undefined ? 'GET' : 'POST' } = question;
    const own = { token, accept, idempotencyKey, lastEventId };
    return fetch(url, {
      method,
      headers: requestHeaders(headers, body === undefined ? own : { ...own, contentType }),
      ...(body === undefined ? {} : { body }),
      // A POST that follows becomes a GET, and headers that are meant for one service reach another.
      redirect: 'manual',
      signal,
    });
  }

  #read(question: Question, response: Response, text: string): Try<Readonly<Record<string, unknown>>> {
    const { status, ok } = response;
    const answers = ok || (question.alsoAnswers?.includes(status) ?? false);
    const body = answers ? (status === 204 ? {} : jsonOf(text)) : undefined;
    if (isRecord(body) && question.isAnswer(body)) return { ok: true, value: body };
    return this.#refusal(response, text);
  }

  #refusal({ status, ok, headers }: Response, body: string): Try<never> {
    const { address, credentials } = this.#options;
    const text = credentials.redacted(body);
    const contentType = headers.get('content-type');
    if (ok) {
      const error = strangeAnswer({ status, text, contentType, address });
      return refused(new FlowgateApiError({ status, error }));
    }
    const retryAfterMs = retryAfterOf(headers.get('retry-after'));
    const advice = credentials.advice;
    const error = refusalOf({ status, text, contentType, address, retryAfterMs, advice });
    return { ok: false, error, isPassing: PASSING.includes(status), retryAfterMs };
  }

  #redirected({ status, headers }: Response): FlowgateApiError {
    const to = headers.get('location');
    const error =
      `${this.#options.address} sends callers elsewhere${to === null ? '' : ` (to ${to.slice(0, 300)})`}, and the client ` +
      'does not follow: set baseUrl to the address of the service itself';
    return new FlowgateApiError({ status, error });
  }

  #unreachable(cause: unknown): FlowgateUnreachableError {
    const code = codeOf(cause);
    const reason = code ?? messageOf(cause);
    return new FlowgateUnreachableError(
      `${this.#options.address} cannot be reached (${reason}): is the service running, and is baseUrl its address?`,
      { code, cause },
    );
  }
}

function refused(error: Error): Try<never> {
  return { ok: false, error, isPassing: false, retryAfterMs: undefined };
}

function isUnauthorized(error: Error): boolean {
  return error instanceof FlowgateApiError && error.status === UNAUTHORIZED;
}

/** A browser does not show where to. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Seconds, or a date. */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** `fetch` wraps what the system says. */
function codeOf(error: unknown): string | undefined {
  let at = error;
  // Not `instanceof`: what `fetch` throws may be of another realm.
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { code, cause } = at as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === 'string') return code;
    at = cause;
  }
  return undefined;
}
