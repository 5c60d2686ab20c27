import { DuplicateUnitError } from '../../errors/unit-errors.js';
import { isNamespace } from '../core/namespace.js';
import type { Plan, PlanUnit } from '../core/plan/plan.js';
import { BINDABLE_BUILTIN, hasOwnEndpoint } from '../language/builtins.js';
import type { Clock } from '../ports/clock.js';
import type { HttpBinding } from '../ports/http-binding.js';
import type { EngineLogger } from '../ports/logger.js';
import type { MemoryIndex } from '../ports/memory/memory-index.js';
import type { Secrets } from '../ports/secrets.js';
import type { UnitExecutor } from '../ports/unit-executor.js';
import type { UnitTransport } from '../ports/unit-transport.js';
import { builtinHttp } from './builtin/http.js';
import { McpUnits } from './builtin/mcp/mcp-units.js';
import type { SearchMemory } from './builtin/memory/memory-search.js';
import { memoryUnits } from './builtin/memory/memory-units.js';
import { mockExecutor } from './builtin/mock.js';
import type { AddressPolicy } from './http/addresses/address-policy.js';
import { hostOf } from './http/addresses/host-pattern.js';
import type { LargeResponses } from './http/large-responses/large-responses.js';
import { HttpUnitExecutor } from './http/http-unit-executor.js';
import { InProcessExecutor, type InProcessUnit } from './in-process.js';
import { SecretExecutor } from './secrets/secret-executor.js';
import { secretNames } from './secrets/secret-reference.js';

export interface UnitRegistryOptions {
  readonly transport: UnitTransport;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly logger: EngineLogger;
  readonly maxResponseBytes: number;
  readonly addresses: AddressPolicy;
  /** Bounds what the large responses of all units hold together. */
  readonly largeResponses: LargeResponses;
  /** What `builtin.memory-put` writes. */
  readonly memory: MemoryIndex;
  /** How `builtin.memory-search` searches it; default: at once. */
  readonly search?: SearchMemory;
}

/** What a registration without a name of its own is called. */
const REGISTER_UNIT = 'a call of registerUnit';

/** More tenants than these are told apart by what the unit is given, not by a list. */
const MAX_NAMESPACES = 1_000;

const MOCK = 'builtin.mock';

interface KnownExecutor {
  readonly namespace: string;
  readonly binding: HttpBinding | undefined;
  readonly executor: UnitExecutor;
}

/** Finds what runs a unit: code registered in this process, a bound endpoint, or a built-in. */
export class UnitRegistry {
  private readonly inProcess = new Map<string, InProcessUnit>();
  /** One per unit of a plan and binding: executors keep what they derive from headers and secrets. */
  private executors = new WeakMap<PlanUnit, KnownExecutor>();
  private readonly mcp: McpUnits;
  /** Whether any unit of a plan may be pure, by the units of the plan. */
  private purity = new WeakMap<Plan['units'], boolean>();
  /** Built-ins that are the same for every unit, by `uses`. */
  private readonly builtins: ReadonlyMap<string, UnitExecutor>;

  constructor(private readonly options: UnitRegistryOptions) {
    this.mcp = new McpUnits(options);
    const { memory, clock, search = (request) => memory.search(request) } = options;
    this.builtins = new Map([[MOCK, mockExecutor], ...memoryUnits(memory, search, clock)]);
  }

  /**
   * Throws a `DuplicateUnitError`: what runs call by a name must not change under them unseen; and a `TypeError` for what are no
   * namespaces.
   */
  register(uses: string, unit: InProcessUnit): void {
    const earlier = this.inProcess.get(uses);
    if (earlier !== undefined) {
      const { by: first = REGISTER_UNIT } = earlier;
      throw new DuplicateUnitError(uses, { first, second: unit.by ?? REGISTER_UNIT });
    }
    this.inProcess.set(uses, { ...unit, namespaces: checkedNamespaces(uses, unit) });
    this.executors = new WeakMap();
    this.purity = new WeakMap();
  }

  /** Whether the namespace's workflows may use code of that name. */
  has(uses: string, namespace: string): boolean {
    return this.inProcessOf(uses, namespace) !== undefined;
  }

  /** The names of code that the namespace's workflows may use. */
  namesIn(namespace: string): readonly string[] {
    return [...this.inProcess].flatMap(([uses, unit]) => (servesIn(unit, namespace) ? [uses] : []));
  }

  /** Whether any of the units may be pure: of those of other plans nothing has to be asked. */
  mayBePure(units: Plan['units']): boolean {
    let known = this.purity.get(units);
    if (known === undefined) {
      known = [...units.values()].some(
        ({ uses }) => uses === MOCK || this.inProcess.get(uses)?.pure === true,
      );
      this.purity.set(units, known);
    }
    return known;
  }

  /** Why no call to the binding's endpoint would be made, as far as the endpoint itself shows; null: it would. */
  refusalOf({ endpoint }: HttpBinding): string | null {
    return this.options.addresses.refusalOfHost(hostOf(new URL(endpoint)));
  }

  /** Why a document that names the secret is not registered; null: it is. */
  async refusalOfSecret(request: {
    readonly namespace: string;
    readonly name: string;
  }): Promise<string | null> {
    return (await this.options.secrets.refusalOf?.(request)) ?? null;
  }

  /** Null when the unit is neither registered for the namespace nor bound. */
  executorFor(unit: PlanUnit, namespace: string, binding: HttpBinding | undefined): UnitExecutor | null {
    const builtin = this.builtins.get(unit.uses);
    if (builtin !== undefined) return builtin;
    const known = this.executors.get(unit);
    if (known !== undefined && known.binding === binding && known.namespace === namespace)
      return known.executor;
    const executor = this.create(unit, namespace, binding);
    if (executor !== null) this.executors.set(unit, { namespace, binding, executor });
    return executor;
  }

  private inProcessOf(uses: string, namespace: string): InProcessUnit | undefined {
    const unit = this.inProcess.get(uses);
    return unit !== undefined && servesIn(unit, namespace) ? unit : undefined;
  }

  /** Ends what calls of units have left open. */
  close(): Promise<void> {
    return this.mcp.close();
  }

  private create(unit: PlanUnit, namespace: string, binding: HttpBinding | undefined): UnitExecutor | null {
    if (unit.uses === BINDABLE_BUILTIN)
      return this.createHttp(unit, namespace, hasOwnEndpoint(unit) ? undefined : binding);
    if (unit.uses === 'builtin.mcp') return this.createMcp(unit);
    const hasSecrets = refersToSecrets(unit, binding);
    const own = this.inProcessOf(unit.uses, namespace);
    if (own !== undefined) {
      return hasSecrets ? this.inProcessWith(unit, own) : new InProcessExecutor(own, this.options.logger);
    }
    if (binding === undefined) return null;
    if (!hasSecrets) return this.call(namespace, binding, []);
    return new SecretExecutor(this.options.secrets, {
      headers: binding.headers,
      config: unit.config,
      endpointOf: () => binding.endpoint,
      executorWith: (headers, values) => this.call(namespace, { ...binding, headers }, values),
    });
  }

  private inProcessWith(unit: PlanUnit, own: InProcessUnit): UnitExecutor {
    return new SecretExecutor(this.options.secrets, {
      headers: {},
      config: unit.config,
      endpointOf: () => null,
      executorWith: (_headers, values) => new InProcessExecutor(own, this.options.logger, values),
    });
  }

  /** `builtin.http`, with the binding for a unit that names no endpoint itself. */
  private createHttp(unit: PlanUnit, namespace: string, binding: HttpBinding | undefined): UnitExecutor {
    const executorWith = builtinHttp((own, values) => this.call(namespace, own, values));
    if (!refersToSecrets(unit, binding)) return executorWith([], binding ?? null);
    return new SecretExecutor(this.options.secrets, {
      headers: binding?.headers ?? {},
      config: unit.config,
      endpointOf: ({ endpoint = binding?.endpoint }) => endpoint,
      executorWith: (headers, values) =>
        executorWith(values, binding === undefined ? null : { ...binding, headers }),
    });
  }

  private createMcp(unit: PlanUnit): UnitExecutor {
    if (!refersToSecrets(unit, undefined)) return this.mcp.executorWith([]);
    return new SecretExecutor(this.options.secrets, {
      headers: {},
      config: unit.config,
      endpointOf: ({ url }) => url,
      executorWith: (_headers, values) => this.mcp.executorWith(values),
    });
  }

  private call(namespace: string, { endpoint, headers, timeoutMs }: HttpBinding, masked: readonly string[]) {
    return new HttpUnitExecutor({ ...this.options, namespace, endpoint, headers, timeoutMs, masked });
  }
}

function servesIn({ namespaces }: InProcessUnit, namespace: string): boolean {
  return namespaces === undefined || namespaces.includes(namespace);
}

/** A copy, so that nobody is let in by a change of the list. */
function checkedNamespaces(uses: string, { namespaces }: InProcessUnit): readonly string[] | undefined {
  if (namespaces === undefined) return undefined;
  const isList = Array.isArray(namespaces) && namespaces.length > 0 && namespaces.length <= MAX_NAMESPACES;
  if (isList && namespaces.every(isNamespace)) return [...new Set(namespaces)];
  throw new TypeError(
    `${uses}: namespaces must be a list of 1 to ${MAX_NAMESPACES} namespaces, each of a lower-case letter, then up to 62 lower-case ` +
      'letters, digits or dashes; leave it out for a unit of all of them',
  );
}

function refersToSecrets(unit: PlanUnit, binding: HttpBinding | undefined): boolean {
  return secretNames(unit.config).size > 0 || secretNames(binding?.headers ?? {}).size > 0;
}
