import type { PlanUnit } from '../core/plan.js';
import type { JsonObject } from '../core/json.js';
import type { Clock } from '../ports/clock.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../ports/unit-executor.js';
import type { UnitTransport } from '../ports/unit-transport.js';
import { failedAnswer } from './answer.js';
import { mockExecutor } from './builtin/mock.js';
import type { HttpBinding } from '../ports/http-binding.js';
import { parseBindings } from './http/binding.js';
import { HttpUnitExecutor } from './http/http-unit-executor.js';
import { InProcessExecutor, type UnitHandler } from './in-process.js';

export interface UnitRegistryOptions {
  readonly transport: UnitTransport;
  readonly clock: Clock;
  readonly maxResponseBytes: number;
}

/** Who runs a unit: code registered in this process, a bound endpoint, or a built-in. */
export class UnitRegistry {
  private readonly inProcess = new Map<string, UnitExecutor>();
  /** One per binding object: executors keep what they derive of its headers. */
  private readonly remote = new WeakMap<HttpBinding, UnitExecutor>();

  constructor(private readonly options: UnitRegistryOptions) {}

  register(uses: string, handler: UnitHandler): void {
    this.inProcess.set(uses, new InProcessExecutor(handler));
  }

  has(uses: string): boolean {
    return this.inProcess.has(uses);
  }

  names(): Iterable<string> {
    return this.inProcess.keys();
  }

  /** Null when the unit is neither registered nor bound. */
  executorFor(unit: PlanUnit, binding: HttpBinding | undefined): UnitExecutor | null {
    if (unit.uses === 'builtin.mock') return mockExecutor;
    if (unit.uses === 'builtin.http') return this.builtinHttp;
    const own = this.inProcess.get(unit.uses);
    if (own !== undefined) return own;
    return binding === undefined ? null : this.executorOf(binding);
  }

  private executorOf(binding: HttpBinding): UnitExecutor {
    let executor = this.remote.get(binding);
    if (executor === undefined) {
      const { endpoint, headers, timeoutMs } = binding;
      executor = new HttpUnitExecutor({ endpoint, headers, timeoutMs, ...this.options });
      this.remote.set(binding, executor);
    }
    return executor;
  }

  /** `builtin.http`: the remote unit contract with the endpoint in the unit's own config. */
  private readonly builtinHttp: UnitExecutor = {
    execute: async (request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> => {
      const { endpoint, headers } = request.context.config;
      const parsed = parseBindings({
        config: { type: 'http', endpoint, ...(headers === undefined ? {} : { headers }) },
      });
      const binding = parsed.ok ? parsed.bindings.get('config') : undefined;
      if (binding === undefined) {
        const reason = parsed.ok ? 'has no endpoint' : (parsed.faults[0]?.message ?? 'is not valid');
        return failedAnswer(`builtin.http: ${reason}`, { retryable: false, outcome: 'refused' });
      }
      return this.executorOf(binding).execute(withoutHeaders(request), options);
    },
  };
}

/** The headers are for the call, not for the unit: they may hold a secret. */
function withoutHeaders(request: UnitRequest): UnitRequest {
  const { headers: _headers, ...config } = request.context.config as JsonObject & {
    readonly headers?: unknown;
  };
  return {
    input: request.input,
    get state() {
      return request.state;
    },
    context: { ...request.context, config },
  };
}
