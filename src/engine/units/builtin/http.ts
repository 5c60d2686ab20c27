import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../core/json.js';
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
  return (masked, defaults) => new BuiltinHttp((binding) => call(binding, masked), defaults);
}

/** What one config comes to. */
interface KnownCall {
  readonly endpoint: JsonValue | undefined;
  readonly headers: JsonValue | undefined;
  /** Or what is wrong with the config. */
  readonly executor: UnitExecutor | UnitAnswer;
}

class BuiltinHttp implements UnitExecutor {
  /** Of the last call: mostly every call of a unit goes to the same place. */
  private known: KnownCall | null = null;

  constructor(
    private readonly call: (binding: HttpBinding) => UnitExecutor,
    private readonly defaults: HttpDefaults | null,
  ) {}

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> {
    const { endpoint = this.defaults?.endpoint, headers, ...config } = request.context.config;
    const { known } = this;
    const isKnown = known !== null && known.endpoint === endpoint && isSame(known.headers, headers);
    const executor = isKnown ? known.executor : this.executorFor(endpoint, headers);
    if (!isKnown) this.known = { endpoint, headers, executor };
    return 'kind' in executor ? executor : executor.execute(withConfig(request, config), options);
  }

  private executorFor(
    endpoint: JsonValue | undefined,
    headers: JsonValue | undefined,
  ): UnitExecutor | UnitAnswer {
    const parsed = parseBindings({
      config: { type: 'http', endpoint, ...(headers === undefined ? {} : { headers }) },
    });
    const own = parsed.ok ? parsed.bindings.get('config') : undefined;
    if (own !== undefined) return this.call(this.defaults === null ? own : underOwn(this.defaults, own));
    const reason = parsed.ok ? 'has no endpoint' : (parsed.faults[0]?.message ?? 'is not valid');
    return failedAnswer(`builtin.http: ${reason}`, { retryable: false, outcome: 'refused' });
  }
}

/** Headers, or what was given in their place. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && isDeepStrictEqual(one, other));
}

function underOwn({ headers, timeoutMs }: HttpDefaults, own: HttpBinding): HttpBinding {
  const names = new Set(Object.keys(own.headers).map((name) => name.toLowerCase()));
  const theirs = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...own, headers: { ...Object.fromEntries(theirs), ...own.headers }, timeoutMs };
}
