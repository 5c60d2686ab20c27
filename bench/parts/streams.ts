// Part 8: what a thousand event streams cost the runs, and memory; a hundred of their clients never read. On SQLite, runs of three
// units that answer at once, as many as can be. Not measured: that the streams are opened, which is over when a round begins;
// how late they are under that load, to which they give way.
import { setTimeout as delay } from 'node:timers/promises';
import { hold, type Sample } from '../support/contest.ts';
import { residentMegabytesOf } from '../support/cpu-time.ts';
import { warmUp } from '../support/equal-terms.ts';
import { CALLERS, load } from '../support/load.ts';
import { startFlowgate, type FlowgateService } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../support/results.ts';
import { scoped } from '../support/scope.ts';
import { startService } from '../support/service.ts';
import { figureOf } from '../support/statistics.ts';
import { SQLITE_DURABILITY } from './engine.ts';

const STREAMS = 1_000;
const DEAF = 100;
const SAMPLE_MS = 100;
/** Since the streams were opened or closed, until the load begins. */
const SETTLED_MS = 500;

const ALONE = 'no streams';
const BESIDE = '1,000 streams';

export const streams: Part = {
  name: 'streams',
  title: 'a thousand event streams: throughput of runs, and memory',
  minutes: 2,
  measure,
};

function measure(effort: Effort): Promise<Findings> {
  return scoped(async (scope) => {
    const service = await startFlowgate(scope, 'sqlite');
    // One service does both, so it is as warm for the one as for the other.
    const operations = await warmUp((seconds) => load(service, seconds), effort);
    const growths: number[] = [];
    const contest = await hold({
      id: 'streams',
      title: 'Runs of three units, on SQLite',
      operation: 'run',
      reference: ALONE,
      rounds: effort.rounds,
      contenders: {
        [ALONE]: () => alone(service, effort.seconds),
        [BESIDE]: () => watched(service, effort.seconds, growths),
      },
    });
    return {
      ...NOTHING_FOUND,
      contests: [contest],
      quantities:
        growths.length === 0
          ? []
          : [
              {
                id: 'streams-memory',
                title: 'Memory for 1,000 streams, under load',
                unit: 'MB',
                value: figureOf(growths),
              },
            ],
      settings: {
        callers: CALLERS,
        'runs of the warm-up': operations,
        'seconds a round': effort.seconds,
        streams: STREAMS,
        'that never read': DEAF,
      },
      durability: { [ALONE]: SQLITE_DURABILITY, [BESIDE]: SQLITE_DURABILITY },
    };
  });
}

async function alone(service: FlowgateService, seconds: number): Promise<Sample> {
  await delay(SETTLED_MS);
  return load(service, seconds);
}

/** The load next to the streams. `growths` is given how much more memory there was than before they were opened. */
export async function watched(service: FlowgateService, seconds: number, growths: number[]): Promise<Sample> {
  const sample = await scoped(async (scope) => {
    const before = residentMegabytesOf(service.pid);
    await scope.use(startService('bench/services/onlookers.ts', onlookersOf(service)));
    await delay(SETTLED_MS);
    let most = 0;
    const sampling = setInterval(() => {
      most = Math.max(most, residentMegabytesOf(service.pid) ?? 0);
    }, SAMPLE_MS);
    try {
      // It catches up once the streams are closed: what they hold is looked at under load.
      return await load({ ...service, caughtUp: null }, seconds);
    } finally {
      clearInterval(sampling);
      if (before !== null) growths.push(Math.max(0.1, most - before));
    }
  });
  await service.caughtUp?.();
  return sample;
}

/** Most watch everything, the others lists. */
function onlookersOf({ root }: FlowgateService): Readonly<Record<string, string>> {
  const paths = ['/events', '/events', '/events', '/runs', '/gates'];
  return {
    ONLOOKERS: String(STREAMS),
    ONLOOKERS_DEAF: String(DEAF),
    ONLOOKERS_URLS: paths.map((path) => `${root}${path}`).join(' '),
  };
}
