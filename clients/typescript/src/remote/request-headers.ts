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

/** The caller's headers and, winning over them, ours. */
export function requestHeaders(
  headers: Readonly<Record<string, string>>,
  { hasBody, idempotencyKey }: { readonly hasBody: boolean; readonly idempotencyKey: string | undefined },
): Record<string, string> {
  return {
    ...headers,
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
}
