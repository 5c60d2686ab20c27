import type { JsonObject } from '../../core/json.js';
import type { Secrets } from '../../ports/secrets.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { hostMatches, hostOf, hostPattern } from '../http/addresses/host-pattern.js';
import { failedOutcome } from '../outcome.js';
import { faultsOfHeaders } from '../http/binding-headers.js';
import { withConfig } from '../request-config.js';
import { hostsVariable, isAmbiguous, secretVariable } from './environment-secrets.js';
import { secretNames, withSecrets } from './secret-reference.js';

type Headers = Readonly<Record<string, string>>;

/** A unit that refers to secrets. */
export interface UnitWithSecrets {
  readonly headers: Headers;
  /** The config as the workflow's author wrote it: what a run writes into it later names no secret. */
  readonly config: JsonObject;
  /** Where a call with that config goes; null: nowhere, the unit is code of this process. */
  readonly endpointOf: (config: JsonObject) => unknown;
  /** The unit itself; `values` must not appear in its outcomes. */
  readonly executorWith: (headers: Headers, values: readonly string[]) => UnitExecutor;
}

interface ReadSecret {
  readonly kind: 'read';
  readonly value: string;
  /** The only hosts that it may be sent to; null: any. */
  readonly hosts: readonly string[] | null;
}

/** The unit with secrets in its headers. */
interface FilledUnit {
  /** The secrets' values, in the order of their names. */
  readonly values: readonly string[];
  /** The executor, or the failure that says what is wrong with a header. */
  readonly executor: UnitExecutor | UnitOutcome;
}

/**
 * Puts the secrets into a unit's headers and config at the moment of the call, and nowhere else. They are read for every
 * call; while they are unchanged the same executor is used, which keeps what it derived from them.
 */
export class SecretExecutor implements UnitExecutor {
  private readonly names: ReadonlySet<string>;
  private filled: FilledUnit | null = null;

  constructor(
    private readonly secrets: Secrets,
    private readonly unit: UnitWithSecrets,
  ) {
    this.names = new Set([...secretNames(unit.headers), ...secretNames(unit.config)]);
  }

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> {
    const { config: given, namespace = 'default' } = request.context;
    const secrets = new Map<string, ReadSecret>();
    for (const name of this.names) {
      const secret = await this.read(namespace, name);
      if (secret.kind !== 'read') return secret;
      secrets.set(name, secret);
    }
    const values = new Map([...secrets].map(([name, { value }]) => [name, value]));
    const config = withSecrets(given, values) as JsonObject;
    for (const [name, { hosts }] of secrets) {
      const host = hostOfEndpoint(this.unit.endpointOf(config));
      if (hosts === null || mayBeSentTo(host, hosts)) continue;
      const isSecret = this.unit.endpointOf(given) !== this.unit.endpointOf(config);
      return refused(misplaced(namespace, name, isSecret && host !== null ? 'that host' : host), false);
    }
    const executor = this.filledWith(values);
    return 'kind' in executor ? executor : executor.execute(withConfig(request, config), options);
  }

  private filledWith(secrets: ReadonlyMap<string, string>): UnitExecutor | UnitOutcome {
    const values = [...secrets.values()];
    const isSame = this.filled?.values.every((value, index) => value === values[index]) ?? false;
    if (this.filled === null || !isSame) this.filled = { values, executor: this.fill(secrets, values) };
    return this.filled.executor;
  }

  private fill(secrets: ReadonlyMap<string, string>, values: readonly string[]): UnitExecutor | UnitOutcome {
    const headers = withSecrets(this.unit.headers, secrets) as Headers;
    const [fault] = faultsOfHeaders(headers);
    if (fault !== undefined) return refused(`the header ${fault.name ?? ''} ${fault.problem}`, false);
    return this.unit.executorWith(headers, values);
  }

  /**
   * Reads the secret, or returns the failure that there is none. What an adapter throws may hold anything: it is not
   * repeated.
   */
  private async read(namespace: string, name: string): Promise<ReadSecret | UnitOutcome> {
    let value: unknown;
    let hosts: readonly string[] | null;
    try {
      value = await this.secrets.read({ namespace, name });
      hosts = listOf(await this.secrets.hostsOf?.({ namespace, name }));
    } catch {
      return refused(`the secret ${name} could not be read: check where secrets come from`, true);
    }
    if (typeof value === 'string') return { kind: 'read', value, hosts };
    return refused(`the secret ${name} is not set: ${remedyFor(namespace, name)}`, false);
  }
}

/** An adapter may give anything; what is no list names no host. */
function listOf(given: unknown): readonly string[] | null {
  if (given === null || given === undefined) return null;
  return Array.isArray(given) ? given.map(String) : [];
}

function remedyFor(namespace: string, name: string): string {
  // Whether a variable would be read depends on whether namespaces are kept apart; the folder always is.
  const variable = isAmbiguous(namespace, name) ? null : secretVariable(namespace, name);
  const path = namespace === 'default' ? name : `${namespace}/${name}`;
  if (variable === null) return `mount ${path} in the folder of secrets`;
  return `set ${variable} or mount ${namespace === 'default' ? 'it' : `${path} in the folder of secrets`}`;
}

function misplaced(namespace: string, name: string, host: string | null): string {
  const list = hostsVariable(namespace, name) ?? 'its list of hosts';
  if (host !== null) {
    return `the secret ${name} may not be sent to ${host}: add the host to ${list}, or change the unit's endpoint`;
  }
  return `the secret ${name} is bound to hosts by ${list}, and this unit is called at none: give it a secret of its own`;
}

/** The unit was not called. */
function refused(error: string, retryable: boolean): UnitOutcome {
  return failedOutcome(error, { retryable, outcome: 'refused' });
}

/** The host of an endpoint, as lists of hosts are compared with it; null: there is none to send anything to. */
function hostOfEndpoint(endpoint: unknown): string | null {
  return typeof endpoint === 'string' && URL.canParse(endpoint) ? hostOf(new URL(endpoint)) : null;
}

/** Whether a secret that is bound to these hosts may be sent to that one. What is no host stands for none. */
function mayBeSentTo(host: string | null, hosts: readonly string[]): boolean {
  if (host === null) return false;
  return hosts.some((entry) => {
    const pattern = hostPattern(entry);
    return pattern !== null && hostMatches(pattern, host);
  });
}
