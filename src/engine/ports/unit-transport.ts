import type { AttemptEnd, ExecuteOptions } from './unit-executor.js';

/** One HTTP call to a remote unit; the body is already serialized. */
export interface TransportRequest {
  /** Whose connections it uses. Absent: those of `default`. */
  readonly namespace?: string | undefined;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes; a longer response is disconnected and refused. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
  /** Receives the share of a large response. Default: the share ends with the response. */
  readonly holder?: Pick<ExecuteOptions, 'hold'>;
}

export type TransportResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lower-case names; a repeated header is joined by `, `. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'too-large' }
  /** Nothing was sent, and nothing ever will be to this address; `reason` says why and what to do. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** `reason` is one short phrase (`connection refused`), without the address's credentials. */
  | { readonly kind: 'network-error'; readonly reason: string };

/** How an HTTP unit is called. Redirects are not followed. Never rejects. */
export interface UnitTransport {
  post(request: TransportRequest): Promise<TransportResponse>;
  /** For a transport that prepares once what all calls to an endpoint have in common. Absent: `post` is called. */
  callsTo?(endpoint: TransportEndpoint): EndpointCalls;
  close(): Promise<void>;
}

/** What all calls to one endpoint have in common. */
export interface TransportEndpoint {
  /** Whose connections they use. Absent: those of `default`. */
  readonly namespace?: string | undefined;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes; a longer response is disconnected and refused. */
  readonly maxResponseBytes: number;
}

/** Calls one endpoint. Never rejects. */
export interface EndpointCalls {
  post(call: EndpointCall): Promise<TransportResponse>;
}

export interface EndpointCall {
  /** Name, value, name, value; none that the endpoint's own headers have. */
  readonly headers: readonly string[];
  readonly body: string;
  /** What ends the call; where it has `hold`, that is given the share of a large response. */
  readonly attempt: AttemptEnd & Pick<ExecuteOptions, 'hold'>;
}
