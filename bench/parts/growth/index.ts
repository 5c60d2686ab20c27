// Part 5: what grows with what. Sizes are measured in interleaved rounds. Not measured: growth of several things at once,
// HTTP (but for the polls), the time of others while something large is at work.
import type { Effort, Part } from '../../support/part.ts';
import { NOTHING_FOUND, type Findings, type Gap, type Series } from '../../support/results.ts';
import { scoped } from '../../support/scope.ts';
import { SQLITE_DURABILITY } from '../engine.ts';
import { endedRecords } from './ended-records.ts';
import { memoryEntries } from './memory-entries.ts';
import { growingRuns } from './runs.ts';
import { storedRuns } from './stored-runs.ts';

export const growth: Part = {
  name: 'growth',
  title: 'what a unit, a start, a search and a poll cost as runs, stores and states grow',
  minutes: 13,
  measure,
};

async function measure(effort: Effort): Promise<Findings> {
  const gaps: Gap[] = [];
  const series: Series[] = [];
  // What could not be measured must not take the rest with it.
  for (const [name, found] of Object.entries({ growingRuns, endedRecords, storedRuns, memoryEntries })) {
    try {
      series.push(...(await scoped((scope) => found(effort, scope, gaps))));
    } catch (error) {
      gaps.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    ...NOTHING_FOUND,
    series,
    notAvailable: gaps,
    durability: { 'on SQLite': SQLITE_DURABILITY },
  };
}
