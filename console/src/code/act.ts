import type { JsonObject, JsonValue } from '../../../clients/typescript/src/types/json.js';

interface OfRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** Where a run, or a fork of one, begins; absent: at the start. */
export type From =
  { readonly snapshotId: string } | { readonly unitId: string; readonly occurrence?: number };

/** Something that was asked of the service, or that could be, as every client has it. */
export type Act =
  | { readonly kind: 'start'; readonly workflowId: string; readonly input: JsonObject }
  | ({ readonly kind: 'read' | 'watch' } & OfRun)
  | ({ readonly kind: 'resume'; readonly snapshotId: string | null } & OfRun)
  | ({ readonly kind: 'cancel' | 'pause' | 'compensate'; readonly by: string | null } & OfRun)
  | ({
      readonly kind: 'decide';
      readonly approved: boolean;
      readonly responder: string | null;
      readonly gateId: number | null;
      readonly comment: string | null;
    } & OfRun)
  | ({
      readonly kind: 'fork';
      readonly from?: From;
      readonly input?: JsonObject;
      readonly state?: JsonObject;
      readonly unitInput?: JsonValue;
      readonly definition?: 'current';
    } & OfRun);

/** Where the service is, and as whom it is asked. */
export interface Connection {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The token itself is in no snippet: whoever runs one has it in `FLOWGATE_TOKEN`. */
  readonly isTokenNeeded: boolean;
  /** Null: the one that the service takes where none is named. */
  readonly namespace: string | null;
}

/** The act that a request for it was; null: it was another one. `path` is what follows the address of the service. */
export function actOf(method: string, path: string, body: JsonValue): Act | null {
  const [workflows, workflowId, runs, runId, what, ...more] = path.split('/').map(decoded);
  if (method !== 'POST' || workflows !== 'workflows' || runs !== 'runs' || more.length > 0) return null;
  if (workflowId === undefined || typeof body !== 'object' || body === null || Array.isArray(body))
    return null;
  const fields = body as JsonObject;
  if (runId === undefined) return { kind: 'start', workflowId, input: objectIn(fields, 'input') ?? {} };
  const run = { workflowId, runId };
  switch (what) {
    case 'resume':
      return { kind: 'resume', ...run, snapshotId: textIn(fields, 'snapshotId') };
    case 'cancel':
    case 'pause':
    case 'compensate':
      return { kind: what, ...run, by: textIn(fields, 'by') };
    case 'hitl':
      return {
        kind: 'decide',
        ...run,
        approved: fields['approved'] === true,
        responder: textIn(fields, 'responder'),
        gateId: typeof fields['gateId'] === 'number' ? fields['gateId'] : null,
        comment: textIn(fields, 'comment'),
      };
    case 'fork': {
      const [from, input, state] = (['from', 'input', 'state'] as const).map((name) =>
        objectIn(fields, name),
      );
      return {
        kind: 'fork',
        ...run,
        ...(from === null || from === undefined ? {} : { from: from as unknown as From }),
        ...(input === null || input === undefined ? {} : { input }),
        ...(state === null || state === undefined ? {} : { state }),
        ...(fields['unitInput'] === undefined ? {} : { unitInput: fields['unitInput'] }),
        ...(fields['definition'] === 'current' ? { definition: 'current' } : {}),
      };
    }
    default:
      return null;
  }
}

/** The fields that a fork is asked for with. */
export function forkFields({
  from,
  input,
  state,
  unitInput,
  definition,
}: Act & { kind: 'fork' }): JsonObject {
  return JSON.parse(JSON.stringify({ from, input, state, unitInput, definition })) as JsonObject;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function textIn(fields: JsonObject, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function objectIn(fields: JsonObject, name: string): JsonObject | null {
  const value = fields[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
