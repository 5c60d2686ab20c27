import type { Contest, Result, Series } from '../support/results.ts';
import { show, showFigure } from './numbers.ts';
import { table } from './table.ts';
import { verdict } from './verdict.ts';

/** What is between the markers of the page, by their names: `goals`, `machine`, and one for each part. */
export function sectionsOf(results: ReadonlyMap<string, Result>): ReadonlyMap<string, string> {
  const sections = new Map([
    ['goals', verdict(results)],
    ['machine', machineOf([...results.values()])],
  ]);
  for (const [part, result] of results) sections.set(part, partOf(result));
  return sections;
}

/** Each machine once, with the parts that were measured there. */
function machineOf(results: readonly Result[]): string {
  return table(
    ['part', 'measured', 'commit', 'machine', 'Node', 'versions of others'],
    results
      .toSorted((a, b) => (a.part < b.part ? -1 : 1))
      .map(({ part, quick, measuredAt, commit, machine, versions }) => [
        part,
        measuredAt.slice(0, 10) + (quick ? ', quick: not to be quoted' : ''),
        commit,
        `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}`,
        machine.node,
        listOf(Object.entries(versions).map(([name, version]) => `${name} ${version}`)),
      ]),
  );
}

function partOf(result: Result): string {
  return `![${result.part}](benchmarks/${result.part}.svg)\n\n${tablesOf(result)}`;
}

/** All that one part found. */
export function tablesOf(result: Result): string {
  return [
    ...result.contests.map(contestOf),
    // What takes its course in time is drawn: it has too many points for a table.
    ...result.series.filter(({ axes }) => axes !== 'even').map(seriesOf),
    ...(result.quantities.length === 0 ? [] : [quantitiesOf(result)]),
    ...settingsOf(result),
    ...gapsOf(result),
  ].join('\n\n');
}

function contestOf({ title, operation, reference, contenders }: Contest): string {
  const hasGenerator = contenders.some(({ generatorMicros }) => (generatorMicros ?? null) !== null);
  const rows = contenders.map((contender) => [
    contender.name,
    showFigure(contender.perSecond),
    showFigure(contender.cpuMicros),
    showFigure(contender.throughputRatio),
    showFigure(contender.cpuRatio),
    ...(hasGenerator ? [showFigure(contender.generatorMicros)] : []),
  ]);
  const head = [
    title,
    `${operation}s/s`,
    `µs CPU per ${operation}`,
    `throughput, ${reference} = 1`,
    'CPU, likewise',
    ...(hasGenerator ? ["µs CPU of the load generator's own"] : []),
  ];
  return [table(head, rows), ...warmUpOf(operation, contenders)].join('\n\n');
}

function warmUpOf(operation: string, contenders: Contest['contenders']): readonly string[] {
  const operations = contenders.flatMap(({ name, warmUpOperations }) =>
    warmUpOperations === undefined ? [] : [`${name} ${show(warmUpOperations)}`],
  );
  return operations.length === 0 ? [] : [`Warm-up, in ${operation}s: ${listOf(operations)}.`];
}

function seriesOf({ title, sizeName, unit, lines }: Series): string {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))].toSorted(
    (a, b) => a - b,
  );
  const rows = lines.map(({ name, points }) => [
    name,
    ...sizes.map((wanted) => showFigure(points.find(({ size }) => size === wanted)?.value)),
  ]);
  return `${title}; ${unit}, by ${sizeName}:\n\n${table(['', ...sizes.map(show)], rows)}`;
}

function quantitiesOf({ quantities }: Result): string {
  return table(
    ['', 'unit', 'measured'],
    quantities.map(({ title, unit, value }) => [title, unit, showFigure(value)]),
  );
}

function settingsOf({ settings, durability }: Result): readonly string[] {
  const lines = [
    ...Object.entries(durability).map(([who, what]) => `- ${who}: ${what}.`),
    ...(Object.keys(settings).length === 0
      ? []
      : [`- Settings: ${listOf(Object.entries(settings).map(([name, value]) => `${name}: ${value}`))}.`]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function gapsOf({ notAvailable }: Result): readonly string[] {
  if (notAvailable.length === 0) return [];
  return [
    [
      'Not available, or not in full:',
      '',
      ...notAvailable.map(({ name, reason }) => `- ${name}: ${reason}`),
    ].join('\n'),
  ];
}

function listOf(items: readonly string[]): string {
  return items.length === 0 ? '-' : items.join('; ');
}
