import type { JsonObject } from '../core/json.js';
import type { UnitKind } from '../core/plan/plan.js';

export const BUILTIN_PREFIX = 'builtin.';

/** The one built-in that a binding can say something about: where its units are that name no endpoint themselves. */
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
  /** Where the settings stand: the others take their `with` as the input of a call. */
  readonly withIsSettings: boolean;
}

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  [
    'builtin.approval',
    {
      kind: 'approval',
      withIsSettings: true,
      settings: { title: 'optional', description: 'optional', payload: 'optional', onReject: 'optional' },
    },
  ],
  ['builtin.set', { kind: 'set', withIsSettings: true, settings: { values: 'required' } }],
  ['builtin.fail', { kind: 'fail', withIsSettings: true, settings: { message: 'required' } }],
  [
    'builtin.http',
    { kind: 'execute', withIsSettings: false, settings: { endpoint: 'required', headers: 'optional' } },
  ],
  [
    'builtin.mock',
    {
      kind: 'execute',
      withIsSettings: false,
      settings: { response: 'optional', route: 'optional', delayMs: 'optional', failTimes: 'optional' },
    },
  ],
]);

/** Of the language, but not of this version: refused at registration, never accepted and ignored. */
export const LATER_BUILTINS: ReadonlySet<string> = new Set([
  'builtin.wait',
  'builtin.workflow',
  'builtin.mcp',
  'builtin.memory-search',
  'builtin.memory-put',
]);
