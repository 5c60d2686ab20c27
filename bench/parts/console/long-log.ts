// A run of more than ten thousand events, opened at its log and at its graph, on a slow machine at the service's side of the line.
import type { Quantity } from '../../support/results.ts';
import { figureOf } from '../../support/statistics.ts';
import { addressOf, type LongRun } from './opened-runs.ts';
import { shownAfter, type Opened } from './shown.ts';

const VIEWS = {
  events: `document.querySelectorAll('.event-row').length > 10`,
  graph: `document.querySelectorAll('.unit-box.is-completed').length > 10`,
};

export async function longLog(opened: Opened, run: LongRun): Promise<readonly Quantity[]> {
  const quantities: Quantity[] = [];
  for (const [view, condition] of Object.entries(VIEWS)) {
    const ms: number[] = [];
    const cpuMs: number[] = [];
    for (let round = 0; round < opened.rounds; round++) {
      const address = addressOf(opened.root, run, `&tab=${view}&at=none`);
      const shown = await shownAfter(opened, address, { cpu: true, line: false }, { view: condition });
      ms.push(shown['view'] ?? NaN);
      cpuMs.push(shown['cpu'] ?? NaN);
    }
    const title = `Ten thousand events, opened at the ${view}`;
    quantities.push(
      { id: `console-log-${view}`, title, unit: 'ms', value: figureOf(ms) },
      {
        id: `console-log-${view}-cpu`,
        title: `${title}: CPU of the page`,
        unit: 'ms',
        value: figureOf(cpuMs),
      },
    );
  }
  return quantities;
}
