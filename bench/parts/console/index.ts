// Part 12: how fast the console is, and what it holds, on a machine four times slower than this one. Its parts say what they open.
// Not measured: phones themselves; browsers other than Chromium; what a graphics card does.
import { say, type Effort, type Part } from '../../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../../support/results.ts';
import { scoped, type Scope } from '../../support/scope.ts';
import { startFlowgate } from '../../support/our-services.ts';
import { CPU_SLOWDOWN, LINE, startChromium } from '../../support/slow-page.ts';
import { busyList, RUNS_PER_SECOND } from './busy-list.ts';
import { firstScreen } from './first-screen.ts';
import { frames } from './frames.ts';
import { longLog } from './long-log.ts';
import { MANY, makeLongRun, makeManyRuns, makeWideWorkflows } from './opened-runs.ts';

export const consoleSpeed: Part = {
  name: 'console',
  title: 'the console in Chromium: first screen, a long log, frames, and memory on a busy list',
  minutes: 16,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const { browser } = await scope.use(startChromium());
  const { root } = await startFlowgate(scope, 'memory');
  await makeManyRuns(root);
  await makeWideWorkflows(root);
  const long = await makeLongRun(root);
  const opened = { browser, root, rounds: effort.rounds };
  say('  first screen');
  const first = await firstScreen(opened);
  say('  a long log');
  const log = await longLog(opened, long);
  say('  frames');
  const drawn = await frames(opened, long);
  say(`  a busy list, ${effort.consoleMinutes} min`);
  const { quantities, series } = await busyList(browser, root, effort.consoleMinutes);
  return {
    ...NOTHING_FOUND,
    quantities: [...first, ...log, ...drawn, ...quantities],
    series,
    versions: { Chromium: browser.version() },
    settings: {
      'CPU, times slower': CPU_SLOWDOWN,
      'the line of the first screen, Mbit/s': LINE.bitsPerSecond / 1_000_000,
      'and its ms there and back': LINE.latencyMs,
      'events of the long log': long.events,
      'units of the wide graphs': MANY,
      'minutes on the busy list': effort.consoleMinutes,
      'runs a second on the busy list': RUNS_PER_SECOND,
    },
  };
}
