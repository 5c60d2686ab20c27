import type { CallOf } from './burst.ts';
import { startThree } from './workflows.ts';

const MODERN = '2026-07-28';
const SESSIONS = '2025-11-25';
/** As the fields of `_meta` begin. */
const META = 'io.modelcontextprotocol';
const CLIENT = { name: 'bench', version: '1' };
const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH_TYPES = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
const RUN = { name: 'run_workflow', arguments: { workflowId: 'three', ...startThree } };

/** The same run of three units, waited for: over HTTP, and in each way that `/mcp` knows. */
export function waysToRun(sessionId: string): Readonly<Record<string, CallOf>> {
  const inSessions = { ...BOTH_TYPES, 'mcp-protocol-version': SESSIONS };
  const body = JSON.stringify(startThree);
  return {
    HTTP: () => ({ path: '/workflows/three/runs', headers: JSON_TYPE, body }),
    'plain JSON-RPC': toolCalls(JSON_TYPE, RUN),
    [`MCP ${MODERN}`]: toolCalls(
      { ...BOTH_TYPES, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': RUN.name },
      {
        ...RUN,
        _meta: {
          [`${META}/protocolVersion`]: MODERN,
          [`${META}/clientInfo`]: CLIENT,
          [`${META}/clientCapabilities`]: {},
        },
      },
    ),
    [`MCP ${SESSIONS}, one session`]: toolCalls({ ...inSessions, 'mcp-session-id': sessionId }, RUN),
    [`MCP ${SESSIONS}, no session`]: toolCalls(inSessions, RUN),
  };
}

function toolCalls(headers: Readonly<Record<string, string>>, params: object): CallOf {
  return (id) => ({
    path: '/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  });
}

/** The id of a session that was introduced and confirmed. */
export async function openSession(root: string): Promise<string> {
  const post = async (message: object, headers: Readonly<Record<string, string>>): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(`${root}/mcp`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return response;
  };
  const params = { protocolVersion: SESSIONS, capabilities: {}, clientInfo: CLIENT };
  const begun = await post({ id: 1, method: 'initialize', params }, BOTH_TYPES);
  const id = begun.headers.get('mcp-session-id');
  if (id === null) throw new Error('initialize was answered without a session.');
  const ofSession = { ...BOTH_TYPES, 'mcp-protocol-version': SESSIONS, 'mcp-session-id': id };
  await post({ method: 'notifications/initialized' }, ofSession);
  return id;
}
