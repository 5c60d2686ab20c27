import { STATUS_CODES } from 'node:http';
import type { Answer, Service } from '../../support/service.js';

/** A request as a page shows it. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent. */
  readonly body: string | undefined;
}

const EVENT_STREAM = 'text/event-stream';
const HEADER = /^([A-Za-z-]+): (.+)$/;

/** An `http` block: the first line, headers, an empty line, the body. */
export function requestOfBlock(text: string): PageRequest {
  const [head = '', ...body] = text.split('\n\n');
  const [first = '', ...headers] = head.split('\n');
  return requestOf(first, headers, body.length === 0 ? undefined : body.join('\n\n'));
}

/** The pieces of code in a cell: the first line, headers, the body. */
export function requestOfCell([first = '', ...pieces]: readonly string[]): PageRequest {
  const headers = pieces.filter((piece) => HEADER.test(piece));
  return requestOf(
    first,
    headers,
    pieces.find((piece) => !HEADER.test(piece)),
  );
}

function requestOf(first: string, headers: readonly string[], body: string | undefined): PageRequest {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(first) ?? [];
  if (method === undefined || path === undefined) throw new Error(`This is no request: ${first}`);
  const entries = headers.map((line): [string, string] => {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { method, path, headers: Object.fromEntries(entries), body };
}

/** The status line and the body of an `http` block that shows an answer. */
export function answerOfBlock(text: string): { readonly status: string; readonly body: unknown } {
  const [status = '', ...body] = text.split('\n\n');
  return { status, body: JSON.parse(body.join('\n\n')) as unknown };
}

export function statusLineOf({ status }: Answer): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
}

/** Sends it, with every text of `instead` in place of what the page has. */
export function send(
  service: Service,
  { method, path, headers, body }: PageRequest,
  instead: ReadonlyMap<string, string> = new Map(),
): Promise<Answer> {
  const put = (text: string): string =>
    [...instead].reduce((all, [shown, meant]) => all.replaceAll(shown, meant), text);
  const said = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)]));
  if (method === 'GET' && headers['accept'] === EVENT_STREAM) return opened(service.url + put(path), said);
  return service.call(method, put(path), {
    headers: said,
    ...(body === undefined ? {} : { body: put(body) }),
  });
}

/** The answer as far as it can be waited for: a stream has no end. */
async function opened(url: string, headers: PageRequest['headers']): Promise<Answer> {
  const response = await fetch(url, { headers });
  const head = { status: response.status, headers: Object.fromEntries(response.headers) };
  const isStream = response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  return { ...head, text, body: isStream ? undefined : (JSON.parse(text) as unknown) };
}
