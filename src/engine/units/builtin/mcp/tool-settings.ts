import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { CallContext } from '../../../ports/unit-executor.js';
import { faultsOfHeaders } from '../../http/binding-headers.js';
import { problemOfEndpoint } from '../../http/endpoint.js';
import { basicAuthorization } from '../../http/target.js';
import { callHeaders, constantHeaders, type CallNames } from '../../http/unit-headers.js';

const MAX_TOOL_LENGTH = 256;

/** Headers, in lower case, that the client sets itself, whatever the unit's headers say. */
const OF_THE_PROTOCOL = new Set([
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

const IDEMPOTENCY_KEY = 'Idempotency-Key';

type Headers = Readonly<Record<string, string>>;

/** Which tool of which server a `builtin.mcp` calls. */
export interface ToolSettings {
  /** The URL as it was written, including credentials: it must not be revealed. */
  readonly endpoint: string;
  readonly tool: string;
  /** The headers as they were written. */
  readonly headers: Headers;
}

/** The settings as the unit's config has them, or what is wrong with them. */
export function readToolSettings({ url, tool, headers = {} }: JsonObject): ToolSettings | string {
  const problem = problemOfEndpoint(url);
  if (problem !== null) return `url ${problem}`;
  if (typeof tool !== 'string' || tool === '' || tool.length > MAX_TOOL_LENGTH)
    return `tool must be the name of a tool: a text of 1 to ${MAX_TOOL_LENGTH} characters`;
  const [fault] = faultsOfHeaders(headers);
  if (fault !== undefined) return `headers${fault.name === null ? '' : `: ${fault.name}`} ${fault.problem}`;
  return { endpoint: String(url), tool, headers: headers as Headers };
}

/** Whether two configs name the same tool, called in the same way. */
export function isSameTool(one: JsonObject, other: JsonObject): boolean {
  return (['url', 'tool', 'headers'] as const).every((name) => isDeepStrictEqual(one[name], other[name]));
}

/** Where the requests go: without credentials, which no `fetch` takes in an address, and without a fragment. */
export function addressOf({ endpoint }: ToolSettings): URL {
  const address = new URL(endpoint);
  address.username = '';
  address.password = '';
  address.hash = '';
  return address;
}

/** The headers of every request to the server, and those of the tool call alone. */
export function headersOf(
  { endpoint, headers }: ToolSettings,
  context: CallContext,
  names: CallNames,
): { readonly ofAll: Headers; readonly ofCall: Headers } {
  const theirs = Object.entries(constantHeaders(headers)).filter(
    ([name]) => !OF_THE_PROTOCOL.has(name.toLowerCase()),
  );
  const url = new URL(endpoint);
  const hasCredentials = url.username !== '' || url.password !== '';
  const isAuthorized = theirs.some(([name]) => name.toLowerCase() === 'authorization');
  if (hasCredentials && !isAuthorized) theirs.push(['Authorization', basicAuthorization(url)]);
  const ours = pairs(callHeaders(context, names));
  // One key stands for one request: a server that stores responses by key must not take the handshake for the call.
  const ofAll = [...theirs, ...ours.filter(([name]) => name !== IDEMPOTENCY_KEY)];
  return { ofAll: Object.fromEntries(ofAll), ofCall: { [IDEMPOTENCY_KEY]: names.idempotencyKey } };
}

/** The arguments of the tool; null: the input is neither null nor an object. */
export function argumentsOf(input: JsonValue): JsonObject | null {
  if (input === null) return {};
  return typeof input === 'object' && !Array.isArray(input) ? (input as JsonObject) : null;
}

function pairs(list: readonly string[]): [name: string, value: string][] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : []));
}
