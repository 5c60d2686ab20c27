import type { HttpBinding } from '../../ports/http-binding.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { failedAnswer } from '../answer.js';
import { parseBindings } from '../http/binding.js';
import { withConfig } from '../request-config.js';

/** Calls an endpoint; `masked` values must not appear in an error. */
type Call = (binding: HttpBinding, masked: readonly string[]) => UnitExecutor;

/** What the unit's config leaves to the binding of `builtin.http`. */
export type HttpDefaults = Pick<HttpBinding, 'endpoint' | 'headers' | 'timeoutMs'>;

/**
 * `builtin.http`: the remote unit contract with the endpoint in the unit's own config. The headers of the
 * config are for the call, not for the unit, and may hold a secret: they are not part of what is sent.
 *
 * `defaults` (null: none) are the binding's, for a unit that names no endpoint itself: it is called there, with the
 * binding's headers under its own.
 */
export function builtinHttp(
  call: Call,
): (masked: readonly string[], defaults: HttpDefaults | null) => UnitExecutor {
  return (masked, defaults) => ({
    execute: async (request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> => {
      const { endpoint = defaults?.endpoint, headers, ...config } = request.context.config;
      const parsed = parseBindings({
        config: { type: 'http', endpoint, ...(headers === undefined ? {} : { headers }) },
      });
      const own = parsed.ok ? parsed.bindings.get('config') : undefined;
      if (own !== undefined) {
        const binding = defaults === null ? own : underOwn(defaults, own);
        return call(binding, masked).execute(withConfig(request, config), options);
      }
      const reason = parsed.ok ? 'has no endpoint' : (parsed.faults[0]?.message ?? 'is not valid');
      return failedAnswer(`builtin.http: ${reason}`, { retryable: false, outcome: 'refused' });
    },
  });
}

function underOwn({ headers, timeoutMs }: HttpDefaults, own: HttpBinding): HttpBinding {
  const names = new Set(Object.keys(own.headers).map((name) => name.toLowerCase()));
  const theirs = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...own, headers: { ...Object.fromEntries(theirs), ...own.headers }, timeoutMs };
}
