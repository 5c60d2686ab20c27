import { ConfigError } from '../../errors/service-errors.js';
import type { FlowgateConfig } from './settings.js';
import { allowedHostsOf, faultsOfAddresses, publicUrlOf } from './address-settings.js';
import { faultsOfAccess, warningsAboutAccess } from './access-settings.js';
import {
  faultsOfDatabase,
  registryOf,
  warningsAboutDatabase,
  type ReadSettings,
} from './database-settings.js';
import { faultsOfSecretHosts, warningsAboutSecretHosts } from './secret-hosts.js';
import { nearName } from '../near-name.js';
import type { Setting } from './setting.js';
import { SETTINGS } from './settings.js';

interface ReadConfig {
  readonly config: FlowgateConfig;
  /** Sentences about variables that are not read. */
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_SHOWN = 100;
/** The variable of `${secret:NAME}`; read by name when a unit is called. */
const SECRET_PREFIX = 'FLOWGATE_SECRET_';

/** Reads every setting, a blank variable counting as absent. Throws one `ConfigError` that names every fault. */
export function readConfig(environment: Environment): ReadConfig {
  const faults = [...faultsOfSecretHosts(environment)];
  const config: Record<string, unknown> = {};
  for (const [field, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = environment[setting.variable]?.trim() ?? '';
    const value = given === '' ? setting.fallback : setting.read(given);
    if (value === undefined) faults.push({ variable: setting.variable, message: faultOf(setting, given) });
    config[field] = value;
  }
  const read = config as ReadSettings;
  config['registry'] = registryOf(read, environment);
  faults.push(...faultsOfDatabase(read), ...faultsOfAccess(read), ...faultsOfAddresses(read));
  config['allowedHosts'] = allowedHostsOf(read);
  config['publicUrl'] = publicUrlOf(read);
  if (faults.length > 0) throw new ConfigError(faults);
  // Object.entries of SETTINGS has exactly the fields of FlowgateConfig.
  const known = Object.freeze(config) as unknown as FlowgateConfig;
  const aboutHosts = warningsAboutSecretHosts(environment, known.secretsDir !== null);
  const aboutDatabase = warningsAboutDatabase(known, environment);
  const aboutAccess = warningsAboutAccess(known, environment);
  return {
    config: known,
    warnings: [...warningsAbout(environment), ...aboutHosts, ...aboutDatabase, ...aboutAccess],
  };
}

function faultOf(setting: Setting<unknown>, given: string): string {
  const shown = given.length > MAX_SHOWN ? `${given.slice(0, MAX_SHOWN)}…` : given;
  const value = setting.isSecret ? 'its value (not shown)' : JSON.stringify(shown);
  return `${setting.variable} is ${value}: it must be ${setting.allowed}.`;
}

/** Variables that the command line reads when it calls a server. */
const OF_THE_COMMAND_LINE = [
  'FLOWGATE_SERVER',
  'FLOWGATE_TOKEN',
  'FLOWGATE_NAMESPACE',
  'FLOWGATE_OUTPUT',
  'FLOWGATE_COMPLETION_MS',
];

function warningsAbout(environment: Environment): readonly string[] {
  const settings = Object.values<Setting<unknown>>(SETTINGS).map(({ variable }) => variable);
  const known = [...settings, ...OF_THE_COMMAND_LINE];
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('FLOWGATE_') && !name.startsWith(SECRET_PREFIX) && !known.includes(name),
  );
  return unknown.map((name) => {
    const near = nearName(name, known);
    return `${name} is not a setting of Flowgate${near === null ? '' : `; did you mean ${near}?`}`;
  });
}
