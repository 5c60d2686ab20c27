import type { Choices } from '../../crash/support/choices.js';
import type { UnitServer } from '../../support/unit-server.js';
import { startedDatabase, type StartedDatabase } from './database.js';
import { ReplicaLedger, startReplicaUnits } from './replica-ledger.js';
import { Replicas, type ReplicasOptions } from './replicas.js';
import { STEADY, SteadyLoad } from './steady-load.js';

export interface SteadyOptions {
  readonly choices: Choices;
  /** How many replicas there are to begin with. Default: 3. */
  readonly count?: number;
  /** How long each unit takes. Default: 30 to 80 ms. */
  readonly unitMs?: readonly [number, number];
  /** The URL and the schema. Default: a schema of the shared server. */
  readonly database?: { readonly url: string; readonly schema: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly workflows?: ReplicasOptions['workflows'];
}

/** Three replicas under a steady load, for one test. */
export interface SteadyReplicas {
  readonly replicas: Replicas;
  readonly ledger: ReplicaLedger;
  readonly units: UnitServer;
  /** Null: the database was given. */
  readonly database: StartedDatabase | null;
  /** Begins the load. */
  load(size?: number): SteadyLoad;
  close(): Promise<void>;
}

export async function startSteadyReplicas({
  choices,
  count = 3,
  unitMs: [shortestMs, longestMs] = [30, 80],
  database: given,
  environment = {},
  workflows = [STEADY],
}: SteadyOptions): Promise<SteadyReplicas> {
  const database = given === undefined ? await startedDatabase() : null;
  const { url, schema } = given ?? (database as StartedDatabase);
  const ledger = new ReplicaLedger();
  const habits = { shortestMs, longestMs, failures: 0, longResults: 0 };
  const units = await startReplicaUnits(ledger, choices.fork(), habits);
  const replicas = new Replicas({
    databaseUrl: url,
    schema,
    replicas: ledger,
    workflows,
    unitsUrl: units.url,
    choices: choices.fork(),
    environment,
  });
  const close = async (): Promise<void> => {
    await replicas.close();
    await units.close();
    await database?.dispose();
  };
  try {
    await replicas.begin(count);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    replicas,
    ledger,
    units,
    database,
    load: (size) => new SteadyLoad(replicas.client(), ledger, size === undefined ? {} : { size }),
    close,
  };
}
