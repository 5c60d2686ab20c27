// What the list of runs holds while new ones keep coming, in an hour, or in the part of one that was watched and then as much more as
// the hour has: the heap of the page after a collection, without the first fifth, in which it takes its size.
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { post } from '../../support/load.ts';
import { memoryCourse, type MemorySample } from '../../support/memory-course.ts';
import type { Findings } from '../../support/results.ts';
import { slowPage } from '../../support/slow-page.ts';
import { figureOf } from '../../support/statistics.ts';
import { THREE } from './opened-runs.ts';

export const RUNS_PER_SECOND = 20;
const SAMPLES = 40;
const GROWING_SHARE = 0.2;
const HOUR_SECONDS = 3_600;

export async function busyList(
  browser: Browser,
  root: string,
  minutes: number,
): Promise<Pick<Findings, 'quantities' | 'series'>> {
  const samples: MemorySample[] = [];
  const { page, heapMegabytes, close } = await slowPage(browser, {});
  const load = startRuns(root);
  try {
    await page.goto(`${root}/console/runs`);
    await page.locator('tbody tr').first().waitFor();
    const begun = performance.now();
    for (let sample = 0; sample <= SAMPLES; sample++) {
      const at = begun + (sample / SAMPLES) * minutes * 60_000;
      await delay(Math.max(0, at - performance.now()));
      samples.push({ second: (performance.now() - begun) / 1_000, megabytes: await heapMegabytes() });
    }
  } finally {
    await load.stop();
    await close();
  }
  const settled = samples.slice(Math.floor(samples.length * GROWING_SHARE));
  const isWhole = minutes >= 60;
  return {
    quantities: [
      {
        id: 'console-hour',
        title: isWhole
          ? 'An hour on a busy list: more heap'
          : 'An hour on a busy list, extrapolated: more heap',
        unit: 'MB',
        value: figureOf([slopeOf(settled) * HOUR_SECONDS]),
      },
      {
        id: 'console-heap',
        title: 'Heap of a busy list, at most',
        unit: 'MB',
        value: figureOf([Math.max(...samples.map(({ megabytes }) => megabytes))]),
      },
    ],
    series: [
      memoryCourse(
        { id: 'console-memory', title: 'Heap of the page on a busy list' },
        { 'list of runs': samples },
      ),
    ],
  };
}

/** By least squares, per second: one sample that came at a bad moment does not decide. */
function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const second = mean(samples.map((sample) => sample.second));
  const megabytes = mean(samples.map((sample) => sample.megabytes));
  const [above, below] = samples.reduce(
    ([over, under], sample) => [
      over + (sample.second - second) * (sample.megabytes - megabytes),
      under + (sample.second - second) ** 2,
    ],
    [0, 0],
  );
  return below === 0 ? 0 : above / below;
}

/** Starts runs evenly, and waits for none of them. */
function startRuns(root: string): { stop(): Promise<void> } {
  const asked = new Set<Promise<unknown>>();
  let failure: unknown = null;
  const timer = setInterval(() => {
    const start = post(`${root}/workflows/${THREE}/runs`, { input: {} })
      .catch((error: unknown) => (failure = error))
      .finally(() => asked.delete(start));
    asked.add(start);
  }, 1_000 / RUNS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(asked);
      if (failure !== null) throw failure;
    },
  };
}
