import type { JsonObject } from '../core/json.js';
import type { UnitKind } from '../core/plan/plan.js';

export const BUILTIN_PREFIX = 'builtin.';

/** The one built-in that can be bound: the binding says where units are called that name no endpoint themselves. */
export const BINDABLE_BUILTIN = 'builtin.http';

/** Whether it is a `builtin.http` that takes nothing from a binding: credentials go only where they were bound to. */
export function hasOwnEndpoint(unit: { readonly uses: string; readonly config?: JsonObject }): boolean {
  return (
    unit.uses === BINDABLE_BUILTIN && unit.config !== undefined && Object.hasOwn(unit.config, 'endpoint')
  );
}

/** A unit that the service brings. */
export interface Builtin {
  readonly kind: UnitKind;
  /** Settings (of `config`, or of `with` laid over it), and whether a workflow must give them. */
  readonly settings: Readonly<Record<string, 'required' | 'optional'>>;
  /** Whether secrets are filled in where its config names them. */
  readonly fillsSecrets?: true;
  /** Whether `with` holds settings; for the other built-ins it is the input of a call. */
  readonly withIsSettings: boolean;
}

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  [
    'builtin.approval',
    {
      kind: 'approval',
      withIsSettings: true,
      settings: {
        title: 'optional',
        description: 'optional',
        payload: 'optional',
        onReject: 'optional',
        timeout: 'optional',
        onTimeout: 'optional',
      },
    },
  ],
  [
    'builtin.wait',
    {
      kind: 'wait',
      withIsSettings: true,
      settings: { duration: 'optional', durationMs: 'optional', until: 'optional' },
    },
  ],
  ['builtin.workflow', { kind: 'workflow', withIsSettings: false, settings: { workflowId: 'required' } }],
  ['builtin.set', { kind: 'set', withIsSettings: true, settings: { values: 'required' } }],
  ['builtin.fail', { kind: 'fail', withIsSettings: true, settings: { message: 'required' } }],
  [
    'builtin.http',
    {
      kind: 'execute',
      withIsSettings: false,
      fillsSecrets: true,
      settings: { endpoint: 'required', headers: 'optional' },
    },
  ],
  [
    'builtin.mock',
    {
      kind: 'execute',
      withIsSettings: false,
      settings: { response: 'optional', route: 'optional', delayMs: 'optional', failTimes: 'optional' },
    },
  ],
  [
    'builtin.mcp',
    {
      kind: 'execute',
      withIsSettings: false,
      fillsSecrets: true,
      settings: { url: 'required', tool: 'required', headers: 'optional' },
    },
  ],
  [
    'builtin.memory-search',
    { kind: 'execute', withIsSettings: true, settings: { query: 'required', topK: 'optional' } },
  ],
  [
    'builtin.memory-put',
    { kind: 'execute', withIsSettings: true, settings: { content: 'required', metadata: 'optional' } },
  ],
]);
