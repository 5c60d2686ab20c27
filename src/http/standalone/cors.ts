import type { IncomingMessage, ServerResponse } from 'node:http';

/** Of the options of Nest's `enableCors` those that are set here; `origin`: whether the page is answered at all. */
interface CorsOptions {
  readonly origin: boolean;
  readonly methods?: readonly string[];
  readonly allowedHeaders?: readonly string[];
  readonly exposedHeaders?: readonly string[];
  readonly credentials?: boolean;
  readonly maxAge?: number;
}

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];
/** Beside those of MCP, of which a tool may have its own. */
const SENT = [
  'authorization',
  'content-type',
  'flowgate-namespace',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
];
const OF_MCP = /^mcp-[\w-]{1,100}$/;
const EXPOSED = ['Allow', 'ETag', 'Location', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate'];
const MAX_AGE_SECONDS = 600;

/** Express's request knows its response. */
type Asked = IncomingMessage & { readonly res?: ServerResponse };

/**
 * What pages of these origins may do in a browser: all that they have a key or a token for, and nothing by cookies. To a page of
 * another origin nothing is said at all, so that its requests are answered as ever.
 */
export function corsFor(origins: readonly string[]) {
  const allowed = new Set(origins);
  return ({ headers, res }: Asked, callback: (error: null, options: CorsOptions) => void): void => {
    // A cache must not give one page the answer to another.
    res?.appendHeader('Vary', 'Origin');
    const { origin, 'access-control-request-headers': asked = '' } = headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    callback(null, isAllowed ? { ...SHARED, allowedHeaders: allowedOf(asked) } : { origin: false });
  };
}

const SHARED: CorsOptions = {
  origin: true,
  methods: METHODS,
  exposedHeaders: EXPOSED,
  credentials: false,
  maxAge: MAX_AGE_SECONDS,
};

/** Those of ours that a page asks for. */
function allowedOf(asked: string): readonly string[] {
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  return [...new Set(names)].filter((name) => SENT.includes(name) || OF_MCP.test(name));
}
