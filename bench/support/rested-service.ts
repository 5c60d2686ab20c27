import { closedLoop } from './closed-loop.ts';
import { compared, type Sample } from './contest.ts';
import { costOf } from './cost.ts';
import { warmUp } from './equal-terms.ts';
import { CALLERS, load } from './load.ts';
import { startFlowgate, type FlowgateService } from './our-services.ts';
import type { Effort } from './part.ts';
import { Requests } from './requests.ts';
import type { Contest } from './results.ts';
import type { Scope } from './scope.ts';

const AFTER_LOAD = 'after load';
const AFTER_QUIET = 'after quiet';
const FIRST_SECOND = 'after quiet, first second';

type Store = Parameters<typeof startFlowgate>[1];

/** A service with three builtin units, and what it does after load and after quiet. */
export class RestedService {
  private readonly store: Store;
  private readonly service: FlowgateService;
  private readonly requests: Requests;
  readonly warmUpOperations: number;
  private readonly afterLoad: Sample[] = [];
  private readonly afterQuiet: Sample[] = [];
  private readonly firstSeconds: Sample[] = [];

  private constructor(store: Store, service: FlowgateService, warmUpOperations: number) {
    this.store = store;
    this.service = service;
    this.requests = new Requests(service, CALLERS);
    this.warmUpOperations = warmUpOperations;
  }

  static async start(scope: Scope, store: Store, effort: Effort): Promise<RestedService> {
    const service = await startFlowgate(scope, store);
    const operations = await warmUp((seconds) => load(service, seconds), effort);
    return scope.use(Promise.resolve(new RestedService(store, service, operations)));
  }

  async loadAfterLoad(runUpSeconds: number, seconds: number): Promise<void> {
    await this.send(runUpSeconds);
    this.afterLoad.push((await this.send(seconds)).sample);
    await this.service.caughtUp?.();
  }

  async loadAfterQuiet(seconds: number): Promise<void> {
    const { sample, doneInFirstSecond: done } = await this.send(seconds);
    this.afterQuiet.push(sample);
    this.firstSeconds.push({ perSecond: done, done, cpuMicros: null, generatorMicros: null });
    await this.service.caughtUp?.();
  }

  contest(): Contest {
    const { store } = this;
    return compared(
      {
        id: `quiet-${store}`,
        title: `Three builtin units over HTTP, ${store === 'memory' ? 'in memory' : 'on SQLite'}`,
        operation: 'run',
        reference: AFTER_LOAD,
      },
      new Map([
        [AFTER_LOAD, this.afterLoad],
        [AFTER_QUIET, this.afterQuiet],
        [FIRST_SECOND, this.firstSeconds],
      ]),
    );
  }

  stop(): Promise<void> {
    return this.requests.stop();
  }

  private async send(
    seconds: number,
  ): Promise<{ readonly sample: Sample; readonly doneInFirstSecond: number }> {
    let doneInFirstSecond = 0;
    const sample = await costOf(this.service.pids, async () => {
      const loop = await closedLoop(() => this.requests.send(), CALLERS, seconds);
      ({ doneInFirstSecond } = loop);
      return loop;
    });
    return { sample, doneInFirstSecond };
  }
}
