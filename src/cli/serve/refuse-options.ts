import { readConfig } from '../../config/service/read-config.js';
import { ConfigError } from '../../errors/service-errors.js';
import { UsageError } from '../command-errors.js';

/**
 * Throws a `UsageError` that names every option whose setting cannot be used. `names`: the options by variable.
 * Faults of the environment itself are reported by the start of the service.
 */
export function refuseOptions(environment: NodeJS.ProcessEnv, names: ReadonlyMap<string, string>): void {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = (error.details ?? []).flatMap(({ variable, message }) => {
      const option = names.get(String(variable));
      return option === undefined ? [] : [String(message).replace(String(variable), option)];
    });
    if (wrong.length > 0) throw new UsageError(wrong.join('\n'));
  }
}
