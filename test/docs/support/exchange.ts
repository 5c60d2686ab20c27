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
const LINE = /^[A-Z]+ \/\S*$/;
const ROUTE = /^[A-Z]+ \//;
/** What a row below another heading is about, if it names no route. */
const START_OF_PING = 'POST /workflows/ping/runs';
/** Values for parameters, a query, or both: `slow {running}`, `?limit=0`, `{paused}?view=full`. */
const OPEN = /^(?=\S)(?:(?:[\w.%-]+|\{\w+\})(?: (?:[\w.%-]+|\{\w+\}))*)?(?:\?\S*)?$/;

/** An `http` block: the first line, headers, an empty line, the body. */
export function requestOfBlock(text: string): PageRequest {
  const [head = '', ...body] = text.split('\n\n');
  const [first = '', ...headers] = head.split('\n');
  return requestOf(first, headers, body.length === 0 ? undefined : body.join('\n\n'));
}

/** The pieces of code in a cell: the first line, or what of it the heading leaves open; headers; the body. */
export function requestOfCell(pieces: readonly string[], heading: string): PageRequest {
  const [first = ''] = pieces;
  const isWhole = LINE.test(first);
  const leavesOpen = heading.includes(':') || first.startsWith('?');
  const open = !isWhole && leavesOpen && OPEN.test(first) ? first : '';
  const others = isWhole || open !== '' ? pieces.slice(1) : pieces;
  return requestOf(
    isWhole ? first : filled(ROUTE.test(heading) ? heading : START_OF_PING, open),
    others.filter((piece) => HEADER.test(piece)),
    others.find((piece) => !HEADER.test(piece)),
  );
}

/** The route of a heading with values for the last of its parameters; a workflow that no row names is `refund`. */
function filled(heading: string, open: string): string {
  const [values = '', query] = open.split('?');
  const given = values === '' ? [] : values.split(' ');
  const parameters = heading.match(/:\w+/g) ?? [];
  const all = [...Array.from({ length: parameters.length - given.length }, () => 'refund'), ...given];
  const path = heading.replaceAll(/:\w+/g, () => all.shift() ?? '');
  return query === undefined ? path : `${path}?${query}`;
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

/** The status line and the body of an `http` block that shows an answer; a `…` among its fields becomes one. */
export function answerOfBlock(text: string): { readonly status: string; readonly body: unknown } {
  const [status = '', ...body] = text.split('\n\n');
  const json = body.join('\n\n').replaceAll(/([{,]\s*)…(?=\s*[,}])/g, '$1"…": "…"');
  return { status, body: JSON.parse(json) as unknown };
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
