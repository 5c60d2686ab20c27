import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from '../../crash/support/choices.js';
import type { CrashWorkflow } from '../../crash/support/crash-workflows.js';
import { PersistentClient } from '../../crash/support/persistent-client.js';
import { ServiceProcess } from '../../crash/support/service-process.js';
import { until } from '../../support/eventually.js';
import { REPLICA_HEADER, REPLICA_SECRET, type ReplicaLedger } from './replica-ledger.js';

/** One process of the service among others on the same database. */
export interface Replica {
  /** By which units know it; no other process ever has it. */
  readonly name: string;
  readonly url: string;
  readonly service: ServiceProcess;
  /** A frozen one is asked for nothing. */
  isFrozen: boolean;
}

export interface ReplicasOptions {
  readonly databaseUrl: string;
  readonly schema: string;
  readonly replicas: ReplicaLedger;
  readonly workflows: readonly Pick<CrashWorkflow, 'id' | 'yaml' | 'bindings'>[];
  /** The address of the units. */
  readonly unitsUrl: string;
  readonly choices: Choices;
  readonly environment?: Readonly<Record<string, string>>;
}

/** How long it takes a new replica to start, to be given shards and to be asked for something, on a busy machine. */
const JOINS_WITHIN_MS = 30_000;
/** What a process had sent before it was disturbed has arrived at the units by then, on a busy machine, too. */
const ARRIVES_WITHIN_MS = 250;

/** Replicas as real processes, and clients that ask any of them. */
export class Replicas {
  private readonly running = new Set<Replica>();
  private turn = 0;

  constructor(private readonly options: ReplicasOptions) {}

  get all(): readonly Replica[] {
    return [...this.running];
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name);
  }

  /** Starts one more; resolves once it listens. `through`: its own way to the database. */
  async start({ through = this.options.databaseUrl } = {}): Promise<Replica> {
    const name = `replica-${randomUUID().slice(0, 8)}`;
    const service = new ServiceProcess({
      dataDir: '',
      environment: {
        LOG_LEVEL: 'info',
        FLOWGATE_STORE: 'postgres',
        FLOWGATE_DATABASE_URL: through,
        FLOWGATE_DATABASE_SCHEMA: this.options.schema,
        [`FLOWGATE_SECRET_${REPLICA_SECRET}`]: name,
        ...this.options.environment,
      },
    });
    const replica: Replica = { name, url: await service.listening, service, isFrozen: false };
    this.running.add(replica);
    return replica;
  }

  /** Starts so many at once, and registers the workflows at one of them: the others know them by that. */
  async begin(count: number): Promise<void> {
    // The first makes the schema; whoever comes meanwhile waits for it.
    await Promise.all(Array.from({ length: count }, () => this.start()));
    if (count > 0) await this.registerAll();
  }

  async registerAll(): Promise<void> {
    for (const { id } of this.options.workflows) await this.register(id);
  }

  /** Resolves once it owns so many shards, as its metrics say. */
  owns({ url, name }: Replica, shards: number): Promise<void> {
    const owned = async (): Promise<string | undefined> =>
      /^flowgate_shards (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    return until(
      async () => (await owned()) === String(shards),
      `${name} owns ${shards} shards`,
      JOINS_WITHIN_MS,
    );
  }

  /** Resolves once the replica has called a unit: it owns shards, and work has come to them. */
  hasJoined({ name }: Replica): Promise<void> {
    return until(() => this.options.replicas.hasCalled(name), `${name} calls a unit`, JOINS_WITHIN_MS);
  }

  /** One that answers, chosen by chance. */
  any(): Replica {
    const awake = this.all.filter(({ isFrozen }) => !isFrozen);
    if (awake.length === 0) throw new Error('No replica is running.');
    return this.options.choices.oneOf(awake);
  }

  /** Clients as they are behind a balancer: each request goes to another replica that is there. */
  client(): PersistentClient {
    return new PersistentClient(
      async () => this.next(),
      this.options.replicas.ledger,
      (id) => this.register(id),
    );
  }

  /** SIGKILL. */
  async kill(replica: Replica): Promise<void> {
    this.running.delete(replica);
    await this.disturbed([replica], () => replica.service.kill());
  }

  /** SIGTERM; resolves once it has ended. Nothing of it may be called again that has time to respond. */
  async terminate(replica: Replica): Promise<void> {
    this.running.delete(replica);
    const { code, signal, stderr } = await replica.service.terminate();
    if (code !== 0) throw new Error(`${replica.name} ended with ${code ?? signal}: ${stderr}`);
  }

  /** SIGSTOP: its connections stay open, and it does nothing. */
  async freeze(replica: Replica): Promise<void> {
    replica.isFrozen = true;
    await this.disturbed([replica], () => process.kill(replica.service.pid, 'SIGSTOP'));
  }

  thaw(replica: Replica): void {
    process.kill(replica.service.pid, 'SIGCONT');
    replica.isFrozen = false;
  }

  /** Whatever these replicas have in flight, before and while the work is done, may be called again. */
  async disturbed<T>(replicas: readonly Replica[], work: () => T | Promise<T>): Promise<T> {
    const names = replicas.map(({ name }) => name);
    this.options.replicas.disturb(names);
    const result = await work();
    // What it had sent by then is in the sockets still, and arrives under its name.
    await delay(ARRIVES_WITHIN_MS);
    this.options.replicas.calmed(names);
    return result;
  }

  async close(): Promise<void> {
    for (const replica of this.all) {
      if (replica.isFrozen) this.thaw(replica);
      await replica.service.kill();
    }
    this.running.clear();
  }

  private async next(): Promise<string> {
    for (;;) {
      const awake = this.all.filter(({ isFrozen }) => !isFrozen);
      this.turn += 1;
      const replica = awake[this.turn % awake.length];
      if (replica !== undefined) return replica.url;
      await delay(20);
    }
  }

  private async register(workflowId: string): Promise<void> {
    const workflow = this.options.workflows.find(({ id }) => id === workflowId);
    if (workflow === undefined) throw new Error(`Nobody knows the workflow ${workflowId}.`);
    const body = { yaml: workflow.yaml, bindings: withReplica(workflow.bindings(this.options.unitsUrl)) };
    const answer = await this.client().post('/workflows/from-yaml', body);
    if (answer?.status !== 201)
      throw new Error(`${workflowId} cannot be registered: ${JSON.stringify(answer)}`);
  }
}

/** Each call says which replica makes it. */
function withReplica(bindings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const headers = { [REPLICA_HEADER]: `\${secret:${REPLICA_SECRET}}` };
  return Object.fromEntries(
    Object.entries(bindings).map(([uses, binding]) => [uses, { ...(binding as object), headers }]),
  );
}
