import type { JsonValue } from '../../../clients/typescript/src/types/json.js';

export interface SentRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** Each is encoded. */
  readonly segments: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

/**
 * The request as a command for a POSIX shell. The token itself never stands in it: who runs the command has it in
 * `FLOWGATE_TOKEN`.
 */
export function curl(
  { method, baseUrl, segments, query = {}, body }: SentRequest,
  { isTokenNeeded }: { readonly isTokenNeeded: boolean },
): string {
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  const parameters = new URLSearchParams(query).toString();
  const address = `${baseUrl}/${path}${parameters === '' ? '' : `?${parameters}`}`;
  const parts = [`curl -X ${method} ${quoted(address)}`];
  if (isTokenNeeded) parts.push('-H "Authorization: Bearer $FLOWGATE_TOKEN"');
  if (body !== undefined)
    parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}

/** Nothing inside of single quotes means anything to a shell; a quote itself stands between two such texts. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
