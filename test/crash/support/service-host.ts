import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CrashWorkflow } from './crash-workflows.js';
import type { ExecutionLedger } from './execution-ledger.js';
import { PersistentClient } from './persistent-client.js';
import { ServiceProcess } from './service-process.js';

export interface HostOptions {
  readonly ledger: ExecutionLedger;
  readonly workflows: readonly CrashWorkflow[];
  /** The address of the units. */
  readonly unitsUrl: string;
  /** Default: a new temporary folder. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** One data folder and the successive processes of the service on it. */
export class ServiceHost {
  readonly dataDir: string;
  private process: ServiceProcess | null = null;
  private isClosed = false;
  private readonly isOwnFolder: boolean;

  constructor(private readonly options: HostOptions) {
    this.isOwnFolder = options.dataDir === undefined;
    this.dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'flowgate-crash-'));
  }

  /** The current process. */
  get current(): ServiceProcess {
    if (this.process === null) throw new Error('No service is running here.');
    return this.process;
  }

  /** Starts the next process; it need not listen yet. */
  launch(): ServiceProcess {
    const { ledger, environment = {} } = this.options;
    ledger.life += 1;
    this.process = new ServiceProcess({
      dataDir: this.dataDir,
      environment: { LOG_LEVEL: 'info', ...environment },
    });
    return this.process;
  }

  async start(): Promise<ServiceProcess> {
    const process = this.launch();
    await process.listening;
    return process;
  }

  client(): PersistentClient {
    return new PersistentClient(
      () => this.address(),
      this.options.ledger,
      (id) => this.register(id),
    );
  }

  /** Ends the current process, and rejects clients that still wait for one. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.process?.kill();
    if (this.isOwnFolder) rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Waits for a process that listens. */
  private async address(): Promise<string> {
    for (;;) {
      if (this.isClosed) throw new Error('The tests of this service are over.');
      const url = await this.process?.listening.catch(() => null);
      if (url) return url;
      await delay(10);
    }
  }

  private async register(workflowId: string): Promise<void> {
    const workflow = this.options.workflows.find(({ id }) => id === workflowId);
    if (workflow === undefined) throw new Error(`Nobody knows the workflow ${workflowId}.`);
    const { yaml } = workflow;
    const body = { yaml, bindings: workflow.bindings(this.options.unitsUrl) };
    const answer = await this.client().post('/workflows/from-yaml', body);
    if (answer?.status !== 201)
      throw new Error(`${workflowId} cannot be registered: ${JSON.stringify(answer)}`);
  }
}
