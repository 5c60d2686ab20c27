import type { CallerHeaders, FlowgateClientOptions } from '../options.js';

const NAMESPACE_HEADER = 'flowgate-namespace';
const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;

/** What of the client's options goes with every request. Throws a `TypeError` where two of them say the same. */
export function callerHeaders({
  headers = {},
  token,
  namespace,
}: Pick<FlowgateClientOptions, 'headers' | 'token' | 'namespace'>): Readonly<Record<string, string>> {
  const checked = checkedHeaders(headers);
  if (token !== undefined && 'authorization' in checked)
    throw new TypeError('token and headers.authorization are given: leave one out');
  if (namespace === undefined) return checked;
  if (NAMESPACE_HEADER in checked)
    throw new TypeError(`namespace and headers.${NAMESPACE_HEADER} are given: leave one out`);
  if (typeof namespace !== 'string' || !NAMESPACE.test(namespace))
    throw new TypeError(
      'namespace must be a lower-case letter, then up to 62 lower-case letters, digits or dashes',
    );
  return { ...checked, [NAMESPACE_HEADER]: namespace };
}

/** Checks the caller's headers once. Throws a `TypeError` that names the header, and never its value. */
function checkedHeaders(headers: CallerHeaders): Readonly<Record<string, string>> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    try {
      if (!new Headers([[name, value]]).has(name)) throw new Error('It was dropped');
    } catch {
      throw new TypeError(
        `headers: ${JSON.stringify(name)} cannot be sent: its name or its value is no header's`,
      );
    }
    if (typeof value !== 'string') throw new TypeError(`headers: the value of ${name} must be a text`);
    checked[name.toLowerCase()] = value;
  }
  return checked;
}

/** What we send next to the caller's. */
export interface OwnHeaders {
  readonly token?: string | undefined;
  /** Default JSON. */
  readonly accept?: string | undefined;
  /** Absent: there is no body. */
  readonly contentType?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/** The caller's headers and, winning over them, ours. */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  { token, accept = 'application/json', contentType, idempotencyKey, lastEventId }: OwnHeaders,
): Record<string, string> {
  return {
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    accept,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
}
