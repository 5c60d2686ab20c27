import type { JsonObject } from '../core/json.js';
import type { PlanUnit } from '../core/plan/plan.js';
import { BUILTIN_PREFIX } from '../language/builtins.js';
import type { HttpBinding } from '../ports/http-binding.js';

/** The setting in which built-ins name the endpoint that they call. */
export const OWN_ADDRESS: Readonly<Record<string, string>> = {
  'builtin.http': 'endpoint',
  'builtin.mcp': 'url',
};

/** Whether calls of the unit belong to an endpoint: other built-ins run here and depend on none. */
export function hasEndpoint({ uses }: Pick<PlanUnit, 'uses'>): boolean {
  return !uses.startsWith(BUILTIN_PREFIX) || Object.hasOwn(OWN_ADDRESS, uses);
}

/**
 * Returns what a call of the unit goes to, as one text: the address without credentials, query and fragment, which belong to
 * the call and not to the endpoint; for code of this process, and where there is no valid address, the unit's `uses`.
 *
 * `settings`: as evaluated, null where they are as written. `binding`: undefined where none applies.
 */
export function calledEndpoint(
  unit: Pick<PlanUnit, 'uses' | 'config'>,
  settings: JsonObject | null,
  binding: Pick<HttpBinding, 'endpoint'> | undefined,
): string {
  const setting = OWN_ADDRESS[unit.uses];
  const own = setting === undefined ? undefined : (settings ?? unit.config)[setting];
  const url = URL.parse(typeof own === 'string' ? own : (binding?.endpoint ?? ''));
  return url === null ? unit.uses : `${url.protocol}//${url.host}${url.pathname}`;
}
