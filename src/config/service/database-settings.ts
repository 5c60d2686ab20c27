import type { FlowgateConfig } from './settings.js';

interface Fault {
  readonly variable: string;
  readonly message: string;
}

/** What was read so far; undefined: the variable's value was refused. */
export type ReadSettings = { readonly [Field in keyof FlowgateConfig]?: FlowgateConfig[Field] | undefined };
type Environment = Readonly<Record<string, string | undefined>>;

const IS_GIVEN = /\S/;

/** The registry that holds: replicas of one database share what is registered, so there it is durable without being asked for. */
export function registryOf(
  { store, registry }: ReadSettings,
  environment: Environment,
): FlowgateConfig['registry'] | undefined {
  return store === 'postgres' && !isGiven('FLOWGATE_REGISTRY', environment) ? 'durable' : registry;
}

/** What the store `postgres` lacks, or cannot go with. */
export function faultsOfDatabase({ store, registry, databaseUrl }: ReadSettings): readonly Fault[] {
  if (store !== 'postgres') return [];
  const faults: Fault[] = [];
  if (databaseUrl === null)
    faults.push({
      variable: 'FLOWGATE_DATABASE_URL',
      message:
        'FLOWGATE_STORE is "postgres": FLOWGATE_DATABASE_URL must say which database, such as ' +
        'postgresql://flowgate@db.example.com/flowgate.',
    });
  if (registry === 'memory')
    faults.push({
      variable: 'FLOWGATE_REGISTRY',
      message:
        'FLOWGATE_REGISTRY is "memory": with FLOWGATE_STORE=postgres all replicas share what is registered, so leave it ' +
        'out, or set it to durable.',
    });
  return faults;
}

/** Whoever gives a database means it to be used. */
export function warningsAboutDatabase({ store }: ReadSettings, environment: Environment): readonly string[] {
  if (store === 'postgres' || !isGiven('FLOWGATE_DATABASE_URL', environment)) return [];
  return [
    `FLOWGATE_DATABASE_URL is set, and FLOWGATE_STORE is ${store}: no database is used; set FLOWGATE_STORE=postgres to use it`,
  ];
}

function isGiven(variable: string, environment: Environment): boolean {
  return IS_GIVEN.test(environment[variable] ?? '');
}
