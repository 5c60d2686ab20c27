import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../core/json.js';
import type { HttpBinding } from '../../ports/http-binding.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { failedOutcome } from '../outcome.js';
import { parseBindings } from '../http/binding.js';
import { withConfig } from '../request-config.js';

/** Calls an endpoint; `masked` values must not appear in an error. */
type Call = (binding: HttpBinding, masked: readonly string[]) => UnitExecutor;

/** What the unit's config leaves to the binding of `builtin.http`. */
export type HttpDefaults = Pick<HttpBinding, 'endpoint' | 'headers' | 'timeoutMs'>;

/**
 * `builtin.http`: the remote unit contract with the endpoint in the unit's own config. The headers of the config are for the
 * call, not for the unit, and may hold a secret: they are left out of the config that is sent.
 *
 * `defaults` (null: none) come from the binding, for a unit that names no endpoint itself: it is called at the binding's
 * endpoint, and its own headers override the binding's.
 */
export function builtinHttp(
  call: Call,
): (masked: readonly string[], defaults: HttpDefaults | null) => UnitExecutor {
  return (masked, defaults) => new BuiltinHttp((binding) => call(binding, masked), defaults);
}

/** The executor for one config. */
interface KnownCall {
  readonly endpoint: JsonValue | undefined;
  readonly headers: JsonValue | undefined;
  /** The executor, or the failure that says what is wrong with the config. */
  readonly executor: UnitExecutor | UnitOutcome;
}

class BuiltinHttp implements UnitExecutor {
  /** The last call's executor is kept: most units always call the same endpoint. */
  private known: KnownCall | null = null;

  constructor(
    private readonly call: (binding: HttpBinding) => UnitExecutor,
    private readonly defaults: HttpDefaults | null,
  ) {}

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> {
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
  ): UnitExecutor | UnitOutcome {
    const parsed = parseBindings({
      config: { type: 'http', endpoint, ...(headers === undefined ? {} : { headers }) },
    });
    const own = parsed.ok ? parsed.bindings.get('config') : undefined;
    if (own !== undefined) return this.call(this.defaults === null ? own : underOwn(this.defaults, own));
    const reason = parsed.ok ? 'has no endpoint' : (parsed.faults[0]?.message ?? 'is not valid');
    return failedOutcome(`builtin.http: ${reason}`, { retryable: false, outcome: 'refused' });
  }
}

/** Compares headers, or whatever was given as headers. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && isDeepStrictEqual(one, other));
}

function underOwn({ headers, timeoutMs }: HttpDefaults, own: HttpBinding): HttpBinding {
  const names = new Set(Object.keys(own.headers).map((name) => name.toLowerCase()));
  const theirs = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...own, headers: { ...Object.fromEntries(theirs), ...own.headers }, timeoutMs };
}
