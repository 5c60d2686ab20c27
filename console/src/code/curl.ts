import type { JsonObject, JsonValue } from '../../../clients/typescript/src/types/json.js';
import { forkFields, type Act, type Connection } from './act.js';
import { shellQuoted } from './shell-text.js';

/** A request of the interface. */
interface SentRequest {
  readonly method: 'GET' | 'POST';
  /** Each is encoded. */
  readonly segments: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

/** The act as a command for a POSIX shell. */
export function asCurl(act: Act, { baseUrl, isTokenNeeded, namespace }: Connection): string {
  const { method, segments, query = {}, body } = requestOf(act);
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  const parameters = new URLSearchParams(query).toString();
  const address = `${baseUrl}/${path}${parameters === '' ? '' : `?${parameters}`}`;
  const parts = [`curl -X ${method} ${shellQuoted(address)}`];
  if (isTokenNeeded) parts.push('-H "Authorization: Bearer $FLOWGATE_TOKEN"');
  if (namespace !== null) parts.push(`-H ${shellQuoted(`Flowgate-Namespace: ${namespace}`)}`);
  if (act.kind === 'watch') parts.push(`-N -H 'Accept: text/event-stream'`);
  if (body !== undefined)
    parts.push(`-H 'Content-Type: application/json'`, `-d ${shellQuoted(JSON.stringify(body))}`);
  return parts.join(' \\\n  ');
}

function requestOf(act: Act): SentRequest {
  if (act.kind === 'start') {
    const { workflowId, input } = act;
    return { method: 'POST', segments: ['workflows', workflowId, 'runs'], body: { input } };
  }
  const run = ['workflows', act.workflowId, 'runs', act.runId];
  switch (act.kind) {
    case 'read':
      return { method: 'GET', segments: run, query: { view: 'full' } };
    case 'watch':
      return { method: 'GET', segments: [...run, 'events'] };
    case 'resume':
      return { method: 'POST', segments: [...run, 'resume'], body: given({ snapshotId: act.snapshotId }) };
    case 'cancel':
    case 'pause':
    case 'compensate':
      return { method: 'POST', segments: [...run, act.kind], body: given({ by: act.by }) };
    case 'decide': {
      const { approved, responder, gateId, comment } = act;
      const body = given({ approved, responder, gateId, comment });
      return { method: 'POST', segments: [...run, 'hitl'], body };
    }
    case 'fork':
      return { method: 'POST', segments: [...run, 'fork'], body: forkFields(act) };
  }
}

/** Without what nothing was said about. */
function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
