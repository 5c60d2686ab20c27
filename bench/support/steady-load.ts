import { closedLoop } from './closed-loop.ts';
import { costOf } from './cost.ts';
import { warmUp } from './equal-terms.ts';
import { CALLERS, load, type Target } from './load.ts';
import { residentMemoryDuring, type MemorySample } from './memory-course.ts';
import { openLoop } from './open-loop.ts';
import { say, type Effort } from './part.ts';
import { Requests } from './requests.ts';
import type { Scope } from './scope.ts';

const SHARE_OF_MAXIMUM = 0.8;
const MAXIMUM_SECONDS = 5;
/** The least of so many counts: a rate that a machine manages in its best moments only is none that it can hold. */
const COUNTS = 3;
/** Enough for what comes at once after a pause; what does not fit waits, and its time counts. */
const CONNECTIONS = 256;

/** What a target did at its rate, over all the time that it was loaded. */
export interface Steady {
  readonly perSecond: number;
  /** Of each answer, from when its request was due. */
  readonly tookMs: Float64Array;
  readonly memory: readonly MemorySample[];
  /** µs per operation, of the target and of the load generator. */
  readonly cpuMicros: number | null;
  readonly generatorMicros: number | null;
}

/** Loads one target at 80 % of its own maximum. */
export class SteadyLoad {
  /** What it could always do when it had all the time, with 32 callers who wait for each answer. */
  readonly maximumPerSecond: number;
  private readonly target: Target;
  private readonly requests: Requests;

  private constructor(target: Target, requests: Requests, maximumPerSecond: number) {
    this.target = target;
    this.requests = requests;
    this.maximumPerSecond = maximumPerSecond;
  }

  /** Warms the target up and finds its maximum. */
  static async prepare(scope: Scope, name: string, target: Target, effort: Effort): Promise<SteadyLoad> {
    const requests = await scope.use(Promise.resolve(new Requests(target, CONNECTIONS)));
    await warmUp((seconds) => load(target, seconds), effort);
    const seconds = effort.quick ? effort.seconds : MAXIMUM_SECONDS;
    let most = Infinity;
    for (let count = 0; count < (effort.quick ? 1 : COUNTS); count += 1) {
      const { done, seconds: took } = await closedLoop(() => requests.send(), CALLERS, seconds);
      await target.caughtUp?.();
      most = Math.min(most, done / took);
    }
    say(`  ${name}: ${Math.round(most)} runs per second at most`);
    return new SteadyLoad(target, requests, most);
  }

  async during(seconds: number): Promise<Steady> {
    const perSecond = Math.round(this.maximumPerSecond * SHARE_OF_MAXIMUM);
    let tookMs: Float64Array = new Float64Array();
    let memory: readonly MemorySample[] = [];
    const cost = await costOf(this.target.pids, async () => {
      memory = await residentMemoryDuring(this.target.pids[0] ?? 0, seconds, async () => {
        tookMs = await openLoop(() => this.requests.send(), { perSecond, seconds });
      });
      return { done: tookMs.length, seconds };
    });
    const { cpuMicros, generatorMicros } = cost;
    return { perSecond, tookMs, memory, cpuMicros, generatorMicros };
  }
}

/** Two stretches of equal length at the same rate, as one. */
export function joined(one: Steady, other: Steady): Steady {
  const from = one.memory.at(-1)?.second ?? 0;
  const tookMs = new Float64Array(one.tookMs.length + other.tookMs.length);
  tookMs.set(one.tookMs);
  tookMs.set(other.tookMs, one.tookMs.length);
  return {
    perSecond: one.perSecond,
    tookMs,
    memory: [
      ...one.memory,
      ...other.memory.map(({ second, megabytes }) => ({ second: from + second, megabytes })),
    ],
    cpuMicros: middle(one.cpuMicros, other.cpuMicros),
    generatorMicros: middle(one.generatorMicros, other.generatorMicros),
  };
}

function middle(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : (one + other) / 2;
}
