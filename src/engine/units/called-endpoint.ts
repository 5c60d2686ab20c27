import type { JsonObject } from '../core/json.js';
import type { PlanUnit } from '../core/plan/plan.js';
import { BUILTIN_PREFIX } from '../language/builtins.js';
import type { HttpBinding } from '../ports/http-binding.js';

/** The setting in which built-ins name whom they call. */
export const OWN_ADDRESS: Readonly<Record<string, string>> = {
  'builtin.http': 'endpoint',
  'builtin.mcp': 'url',
};

/** Whether a call of the unit goes to anybody: what other built-ins do is done here, and depends on nobody. */
export function hasEndpoint({ uses }: Pick<PlanUnit, 'uses'>): boolean {
  return !uses.startsWith(BUILTIN_PREFIX) || Object.hasOwn(OWN_ADDRESS, uses);
}

/**
 * What a call of the unit goes to, as one text: the address without credentials, query and fragment, which are of the
 * call and not of who is called; for code of this process, and for what is no address, the unit's `uses`.
 *
 * `settings`: as evaluated, null where they are as written. `binding`: undefined where there is none that counts.
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
