import type { CallerHeaders } from '../options.js';

/** Checks the caller's headers once. Throws a `TypeError` that names the header, and never its value. */
export function checkedHeaders(headers: CallerHeaders): Readonly<Record<string, string>> {
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
  { accept = 'application/json', contentType, idempotencyKey, lastEventId }: OwnHeaders,
): Record<string, string> {
  return {
    ...headers,
    accept,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
}
