import { readConfig } from '../../../config/service/read-config.js';
import type { FlowgateConfig } from '../../../config/service/settings.js';
import { weakeningsOf } from '../weakenings.js';
import { ConfigError } from '../../../errors/service-errors.js';
import { finding, note, ok, type Check } from '../check.js';

type Environment = Readonly<Record<string, string | undefined>>;

interface CheckedSettings {
  /** Null: a value cannot be used, so that no service starts. */
  readonly config: FlowgateConfig | null;
  readonly checks: readonly Check[];
}

/** The settings of a service that would be started here, as its own table reads them. No value that is a secret is shown. */
export function checkedSettings(environment: Environment): CheckedSettings {
  const outside = ofNode(environment);
  try {
    const { config, warnings } = readConfig(environment);
    const unknown = warnings.map((message) =>
      finding(
        'settings',
        message.endsWith('?') ? message : `${message}.`,
        'Correct its name, or take it out of the environment.',
      ),
    );
    const weakening = weakeningsOf(config).map(({ variable, message }) => {
      const [lost = message, advice = ''] = message.split(/: (?=[^:]*$)/);
      return finding('settings', `${variable}: ${lost}.`, `${upper(advice)}.`);
    });
    const found = [...unknown, ...weakening, ...outside];
    const checks =
      found.length === 0 ? [ok('settings', 'All are known, and none weakens the service')] : found;
    return { config, checks: [...checks, registryCheck(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = (error.details ?? []).map(({ message }) =>
      finding('settings', String(message), 'Correct the value, or take the setting out of the environment.'),
    );
    return { config: null, checks: [...faults, ...outside] };
  }
}

function registryCheck({ registry, store, workflowsDir }: FlowgateConfig): Check {
  if (registry === 'durable') return ok('registry', 'Workflows come back after a restart');
  if (store === 'memory')
    return note('registry', 'Workflows are forgotten at the end of the process, as the runs are');
  if (workflowsDir !== null)
    return note(
      'registry',
      'After a restart there are the workflows of FLOWGATE_WORKFLOWS_DIR, and no others',
    );
  return finding(
    'registry',
    'Workflows are forgotten at the end of the process, and their runs are not.',
    'Set FLOWGATE_REGISTRY=durable, or start with `flowgate serve --registry durable`.',
  );
}

/** What weakens every program of Node. */
function ofNode(environment: Environment): readonly Check[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  return [
    finding(
      'settings',
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is checked, so anybody in between reads tokens.',
      'Take it out of the environment, and name the authority in NODE_EXTRA_CA_CERTS.',
    ),
  ];
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
