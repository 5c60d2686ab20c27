import type { HttpBinding } from '../../ports/http-binding.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { failedAnswer } from '../answer.js';
import { parseBindings } from '../http/binding.js';
import { withConfig } from '../request-config.js';

/** Calls an endpoint; `masked` values must not appear in an error. */
type Call = (binding: HttpBinding, masked: readonly string[]) => UnitExecutor;

/**
 * `builtin.http`: the remote unit contract with the endpoint in the unit's own config. The headers of the
 * config are for the call, not for the unit, and may hold a secret: they are not part of what is sent.
 */
export function builtinHttp(call: Call): (masked: readonly string[]) => UnitExecutor {
  return (masked) => ({
    execute: async (request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> => {
      const { endpoint, headers, ...config } = request.context.config;
      const parsed = parseBindings({
        config: { type: 'http', endpoint, ...(headers === undefined ? {} : { headers }) },
      });
      const binding = parsed.ok ? parsed.bindings.get('config') : undefined;
      if (binding !== undefined) return call(binding, masked).execute(withConfig(request, config), options);
      const reason = parsed.ok ? 'has no endpoint' : (parsed.faults[0]?.message ?? 'is not valid');
      return failedAnswer(`builtin.http: ${reason}`, { retryable: false, outcome: 'refused' });
    },
  });
}
