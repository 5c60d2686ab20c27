import type { Engine, EngineOptions } from '../../src/engine/index.js';
import type { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { until } from './eventually.js';
import { inSequence, openEngine } from './engine.js';
import { startUnitServer, type Reply, type UnitServer } from './unit-server.js';

/** What the endpoint answers to a call: `name` is the run's, by its input. */
export type Answering = (call: ReceivedCall) => Reply | Promise<Reply>;

export interface ReceivedCall {
  /** Ms since the endpoint was started, by the engine's clock. */
  readonly at: number;
  readonly name: string;
  readonly path: string;
  readonly attempt: number;
  readonly deadlineAt: number;
}

export const OK: Reply = { body: { content: 'ok' } };
export const DOWN: Reply = { status: 503, body: 'down' };

const CONTROL = '/control';

/** A real endpoint over HTTP, an engine whose workflows call it, and a clock that stops unless it is moved. */
export class EndpointWorld {
  readonly calls: ReceivedCall[] = [];
  private answering: Answering = () => OK;
  private readonly began: number;

  private constructor(
    readonly server: UnitServer,
    readonly engine: Engine,
    readonly clock: ManualClock,
  ) {
    this.began = clock.now();
    server.answer((request) => {
      if (request.url === CONTROL) return {};
      const { input, context } = JSON.parse(request.body) as {
        readonly input: { readonly name: string };
        readonly context: { readonly attempt: number; readonly deadlineAt: number };
      };
      const { attempt, deadlineAt } = context;
      const at = clock.now() - this.began;
      const call = { at, name: input.name, path: request.url, attempt, deadlineAt };
      this.calls.push(call);
      return this.answering(call);
    });
  }

  static async open(options: Partial<EngineOptions> = {}): Promise<EndpointWorld> {
    const server = await startUnitServer();
    const { engine, clock } = await openEngine({}, options);
    return new EndpointWorld(server, engine, clock);
  }

  answer(answering: Answering): void {
    this.answering = answering;
  }

  /** A workflow of one unit that is called here. */
  async workflow(id: string, policy: object, unit: object = { uses: 'acme.call' }): Promise<void> {
    const yaml = inSequence(id, [{ id: 'call', ...unit }], { policy });
    await this.engine.workflows.register({ yaml, bindings: this.bindings });
  }

  get bindings() {
    return { 'acme.call': { type: 'http', endpoint: `${this.server.url}/call` } };
  }

  /** A run for each letter, one after the other. */
  async start(workflowId: string, names: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const name of names) {
      ids.push((await this.engine.runs.start({ workflowId, input: { name } })).runId);
    }
    return ids;
  }

  /** The names of the calls, in order. */
  get names(): string {
    return this.calls.map(({ name }) => name).join('');
  }

  /** Resolves when so many calls have arrived; no other comes after them, while the clock is not moved. */
  async called(count: number): Promise<string> {
    await until(() => this.calls.length >= count, `${count} calls arrive`);
    await this.nothingMore();
    return this.names;
  }

  /** Waits as long as a call takes that is made at once, and longer. */
  async nothingMore(): Promise<void> {
    await this.clock.advance(0);
    for (let calls = 0; calls < 3; calls += 1) await (await fetch(this.server.url + CONTROL)).text();
  }

  async ended(workflowId: string, runId: string) {
    await until(async () => {
      await this.clock.advance(0);
      return (await this.engine.runs.get({ workflowId, runId })).status !== 'running';
    }, 'the run stops');
    return this.engine.runs.get({ workflowId, runId });
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.server.close();
  }
}
