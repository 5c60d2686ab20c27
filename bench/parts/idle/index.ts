// Part 6: how long the service takes to start, what it holds when nobody asks anything, how that grows at half load, and what
// Flowgate adds to the start of a Nest application. On SQLite, the default; in the Nest application in memory, the default there.
// Not measured: days; growth of the data folder; other work than short runs.
import type { Effort, Part } from '../../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../../support/results.ts';
import { SQLITE_DURABILITY } from '../engine.ts';
import { addedToNest } from './added-to-nest.ts';
import { halfLoad } from './half-load.ts';
import { starts } from './starts.ts';

export const idle: Part = {
  name: 'idle',
  title: 'start time, idle memory, what Flowgate adds to a Nest application, and ten minutes at half load',
  minutes: 12.5,
  measure,
};

async function measure(effort: Effort): Promise<Findings> {
  const started = await starts(effort);
  const added = await addedToNest(effort);
  const { growth, series, perSecond } = await halfLoad(effort);
  return {
    ...NOTHING_FOUND,
    quantities: [...started, ...added, ...growth],
    series,
    settings: {
      'minutes at half load': effort.idleMinutes,
      'runs per second at half load': Math.round(perSecond),
    },
    durability: { 'service on SQLite': SQLITE_DURABILITY },
  };
}
