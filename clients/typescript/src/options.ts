import type { EngineLike } from './in-process/engine-like.js';
import type { RecordView } from './types/records.js';
import type { AnsweredOnce, SyncUntil } from './types/sync-until.js';

/** How calls are tried again: after failures of the connection, and answers of 429, 502, 503 and 504. Never after a 500. */
export interface RetryOptions {
  /** How often beyond the first try. Default 3; 0: never. */
  readonly count?: number;
  /** The first pause, in ms; it doubles each time, and is varied. Default 250. */
  readonly baseMs?: number;
  /** The longest pause, in ms. Default 5,000. */
  readonly maxMs?: number;
  /** A `Retry-After` of more ms than this ends the tries. Default 30,000. */
  readonly maxRetryAfterMs?: number;
  /** A try that was disconnected after so many ms was no failure but a wait: the count begins anew. Default 10,000. */
  readonly renewAfterMs?: number;
}

/** Names and values, or the `Headers` of the web. */
export type CallerHeaders = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** What stands behind `Authorization: Bearer`: a text, or what gives one. */
export type TokenSource = string | (() => string | Promise<string>);

export interface FlowgateClientOptions {
  /**
   * Where the service is: `https://flow.example.com`, also with a path (`…/api/flowgate/`). Absent: workflows run in this
   * process, by the package `flowgate`.
   */
  readonly baseUrl?: string | undefined;
  /** What sends the requests. Default: the runtime's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with every request. */
  readonly headers?: CallerHeaders | undefined;
  /**
   * An API key or a token, sent to the service at `baseUrl` and nowhere else. What a function gives is remembered until the
   * service answers 401; then it is asked again, and the request is sent once more. Default: none.
   */
  readonly token?: TokenSource | undefined;
  /** The namespace of every request. Default: the only one that is granted, else `default`. */
  readonly namespace?: string | undefined;
  /**
   * How long a call may take, all of its tries together, in ms; `Infinity`: as long as it takes. A start with `sync` has
   * no bound unless the call itself names one. Default 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /** How calls are tried again; a number is the count. */
  readonly retries?: number | RetryOptions | undefined;
  /** Groups that a document's `apiVersion` may name. Default: `flowgate`. */
  readonly apiGroups?: readonly string[] | undefined;
  /** The longest answer that is read, in bytes. Default 128 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** In process: the engine to use, opened; its owner closes it. Default: one of the client's own. */
  readonly engine?: EngineLike | undefined;
  /** In process: what `createEngine` of `flowgate/engine` is given, such as a store. */
  readonly engineOptions?: object | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. What the service began continues. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the client's. */
  readonly timeoutMs?: number | undefined;
}

export interface GetRunOptions extends CallOptions {
  /** `full`: with all that is known of the run, whatever its status. Default `plain`. */
  readonly view?: RecordView | undefined;
}

/** Of calls that change something. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * The same key with the same request is carried out once. Default: one that the client makes for the call and keeps
   * over its tries.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface StartOptions extends KeyedCallOptions {
  /** By which lists find the run, at most 32: names such as `team`, values of up to 256 characters. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Wait until the run is completed, paused or failed. Default false. */
  readonly sync?: boolean | undefined;
  /** When `sync` is answered. Default `stop`. */
  readonly syncUntil?: SyncUntil | undefined;
}

/** What a run may use from now on, all of it together; a limit that is left out stays as it was. */
export interface RunBudget {
  readonly maxTokens?: number | undefined;
  /** In the currency that the units report. */
  readonly maxCost?: number | undefined;
}

export interface ResumeOptions extends KeyedCallOptions {
  /** In place of the document's budget. Default: as before. */
  readonly budget?: RunBudget | undefined;
  /** When it is answered. Default `stop`, or half a minute. */
  readonly syncUntil?: AnsweredOnce | undefined;
}

/** Of `cancel`, `pause` and `compensate`. */
export interface StopOptions extends KeyedCallOptions {
  /** Who asks for it, for audit: 1 to 256 characters. Default `sdk`. */
  readonly by?: string | undefined;
}

export interface RespondOptions extends KeyedCallOptions {
  /** Which gate, when several are open. */
  readonly gateId?: number | undefined;
  /** Kept with the decision. */
  readonly comment?: string | undefined;
  /** When it is answered. Default `stop`, or half a minute. */
  readonly syncUntil?: AnsweredOnce | undefined;
}

export interface MessagesOptions extends CallOptions {
  /** `next` of the page before. Default: from the first message. */
  readonly cursor?: string | undefined;
  /** @deprecated Its name in every list is `cursor`, which wins where both are given. */
  readonly after?: string | undefined;
  /** Messages on the page. Default and most: 1,000. */
  readonly limit?: number | undefined;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in ms. Default: as long as it takes. */
  readonly timeoutMs?: number | undefined;
}
