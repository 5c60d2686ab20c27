import {
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../json-rpc.js';
import type { HttpExchange } from './http-exchange.js';

/**
 * Whether a request is one of the revisions from 2026-07-28 on. The obvious cases are decided here, because the SDK
 * checks the whole message for its decision. The decision is the same for every well-formed message, but for an
 * `initialize` that states a revision: that is refused by the handler of those revisions.
 */
export async function isModern({ request, body }: Pick<HttpExchange, 'request' | 'body'>): Promise<boolean> {
  if (isRecord(body) && body['jsonrpc'] === '2.0' && typeof body['method'] === 'string') {
    if (statesRevision(body['params'])) return true;
    const revision = request.headers.get('mcp-protocol-version');
    if (revision === null || SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return false;
  }
  return !(await isLegacyRequest(request, body));
}

/** Whether a message states its revision, which only those from 2026-07-28 on do. */
function statesRevision(params: unknown): boolean {
  if (!isRecord(params)) return false;
  const meta = params['_meta'];
  return isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
