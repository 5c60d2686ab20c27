import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isModern } from './era.js';

const NEWEST = '2026-07-28';
const HEADERS = [null, NEWEST, '1999-01-01', ...SUPPORTED_PROTOCOL_VERSIONS];
const ENVELOPE = {
  [PROTOCOL_VERSION_META_KEY]: NEWEST,
  [CLIENT_INFO_META_KEY]: { name: 'test', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
};
const PARAMS = [
  undefined,
  {},
  { _meta: {} },
  { _meta: { progressToken: 1 } },
  { _meta: ENVELOPE },
  { _meta: { [PROTOCOL_VERSION_META_KEY]: 7 } },
];
const METHODS = ['tools/call', 'ping', 'server/discover', 'notifications/initialized'];
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

const messages: readonly (readonly [what: string, body: unknown])[] = [
  ...METHODS.flatMap((method) =>
    PARAMS.map((params) => {
      const id = method.startsWith('notifications/') ? {} : { id: 1 };
      const body = { jsonrpc: '2.0', ...id, method, ...(params === undefined ? {} : { params }) };
      return [JSON.stringify(body), body] as const;
    }),
  ),
  ['initialize', { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }],
  ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
  ['an empty batch', []],
  ['a text', 'ping'],
];

describe('whether a message is one of 2026-07-28 or later', () => {
  it.each(messages)('is decided as the SDK decides: %s', async (_what, body) => {
    for (const revision of HEADERS) {
      const headers: Record<string, string> = revision === null ? {} : { 'mcp-protocol-version': revision };
      const request = new Request('http://flowgate.invalid/mcp', { method: 'POST', headers });
      expect([revision, await isModern({ request, body })]).toEqual([
        revision,
        !(await isLegacyRequest(request, body)),
      ]);
    }
  });
});
