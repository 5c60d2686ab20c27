// The list of runs, opened by somebody who was never there: nothing is in a cache, the line is bad, the machine is slow.
import type { Quantity } from '../../support/results.ts';
import { figureOf } from '../../support/statistics.ts';
import { shownAfter, type Opened } from './shown.ts';

const CONDITIONS = {
  screen: `document.querySelector('main h1') !== null`,
  rows: `document.querySelectorAll('tbody tr').length > 10`,
};

export async function firstScreen(opened: Opened): Promise<readonly Quantity[]> {
  const screen: number[] = [];
  const rows: number[] = [];
  const cpuMs: number[] = [];
  for (let round = 0; round < opened.rounds; round++) {
    const shown = await shownAfter(
      opened,
      `${opened.root}/console/runs`,
      { cpu: true, line: true },
      CONDITIONS,
    );
    screen.push(shown['screen'] ?? NaN);
    rows.push(shown['rows'] ?? NaN);
    cpuMs.push(shown['cpu'] ?? NaN);
  }
  return [
    { id: 'console-first-paint', title: 'First screen drawn', unit: 'ms', value: figureOf(screen) },
    { id: 'console-first-rows', title: 'Its runs shown', unit: 'ms', value: figureOf(rows) },
    { id: 'console-first-cpu', title: 'CPU of the page until then', unit: 'ms', value: figureOf(cpuMs) },
  ];
}
