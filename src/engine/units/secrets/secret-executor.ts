import type { JsonObject } from '../../core/json.js';
import type { Secrets } from '../../ports/secrets.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import { failedAnswer } from '../answer.js';
import { faultsOfHeaders } from '../http/binding-headers.js';
import { withConfig } from '../request-config.js';
import { secretVariable } from './environment-secrets.js';
import { secretNames, withSecrets } from './secret-reference.js';

type Headers = Readonly<Record<string, string>>;

/** Puts the secrets into a unit's headers and config at the moment of the call, and nowhere else. */
export class SecretExecutor implements UnitExecutor {
  constructor(
    private readonly secrets: Secrets,
    private readonly headers: Headers,
    /** The unit itself; `values` must not appear in what it says of a failure. */
    private readonly executorWith: (headers: Headers, values: readonly string[]) => UnitExecutor,
  ) {}

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> {
    const { config, namespace = 'default' } = request.context;
    const values = new Map<string, string>();
    for (const name of new Set([...secretNames(this.headers), ...secretNames(config)])) {
      const value = await this.read(namespace, name);
      if (typeof value !== 'string') return value;
      values.set(name, value);
    }
    const headers = withSecrets(this.headers, values) as Headers;
    const [fault] = faultsOfHeaders(headers);
    if (fault !== undefined) return refused(`the header ${fault.name ?? ''} ${fault.problem}`, false);
    const executor = this.executorWith(headers, [...values.values()]);
    return executor.execute(withConfig(request, withSecrets(config, values) as JsonObject), options);
  }

  /** The value, or the answer that there is none. What an adapter throws may hold anything: it is not repeated. */
  private async read(namespace: string, name: string): Promise<string | UnitAnswer> {
    let value: unknown;
    try {
      value = await this.secrets.read({ namespace, name });
    } catch {
      return refused(`the secret ${name} could not be read: check where secrets come from`, true);
    }
    if (typeof value === 'string') return value;
    return refused(`the secret ${name} is not set: ${remedyFor(namespace, name)}`, false);
  }
}

function remedyFor(namespace: string, name: string): string {
  const variable = secretVariable(namespace, name);
  const file = namespace === 'default' ? 'it' : `${namespace}/${name} in the folder of secrets`;
  return variable === null ? `mount ${file}` : `set ${variable} or mount ${file}`;
}

/** The unit was not called. */
function refused(error: string, retryable: boolean): UnitAnswer {
  return failedAnswer(error, { retryable, outcome: 'refused' });
}
