import { watched } from '../parts/streams.ts';
import { startContender } from './contender.ts';
import type { TimedWork } from './equal-terms.ts';
import { load } from './load.ts';
import { startFlowgate, startUnit } from './our-services.ts';
import type { Scope } from './scope.ts';
import { startThree } from './workflows.ts';

/** Brings up what a build needs for some work, and says how to have it done for so many seconds. */
export type Work = (scope: Scope, build: string) => Promise<TimedWork>;

/** So that a page is neither empty nor all that there is. */
const SECONDS_OF_RUNS_TO_LIST = 1;

/** What two builds are compared in. */
export const WORKS: Readonly<Record<string, Work>> = {
  /** The engine alone: three units in process. */
  'engine-memory': (scope, build) => engine(scope, 'memory', build),
  'engine-sqlite': (scope, build) => engine(scope, 'sqlite', build),

  /** Over HTTP, on SQLite: runs that are waited for. */
  runs: async (scope, build) => {
    const service = await startFlowgate(scope, 'sqlite', { build });
    return (seconds) => load(service, seconds);
  },

  /** Runs that nobody waits for: what a start costs, and the run with it. */
  starts: async (scope, build) => {
    const service = await startFlowgate(scope, 'sqlite', { build });
    const body = { ...startThree, sync: false };
    return (seconds) => load({ ...service, body }, seconds);
  },

  /** Three HTTP units in a row. */
  units: async (scope, build) => {
    const service = await startFlowgate(scope, 'sqlite', { build, unitEndpoint: await startUnit(scope) });
    return (seconds) => load(service, seconds);
  },

  /** Pages of runs by a filter. */
  lists: async (scope, build) => {
    const service = await startFlowgate(scope, 'sqlite', { build });
    await load(service, SECONDS_OF_RUNS_TO_LIST);
    const url = `${service.root}/runs?status=completed&limit=50`;
    return (seconds) => load({ ...service, url, body: undefined }, seconds);
  },

  /** Runs next to a thousand event streams, of which a hundred are never read. */
  streams: async (scope, build) => {
    const service = await startFlowgate(scope, 'sqlite', { build });
    return (seconds) => watched(service, seconds, []);
  },
};

export function workOf(name: string): Work {
  const work = WORKS[name];
  if (work === undefined) throw new Error(`No work ${name}. There are: ${Object.keys(WORKS).join(', ')}.`);
  return work;
}

async function engine(scope: Scope, store: 'memory' | 'sqlite', build: string) {
  const contender = await scope.use(startContender('bench/contenders/flowgate.ts', [store, build]));
  return (seconds: number) => contender.measure('run', seconds);
}
