// Ten minutes at 80 % of its own maximum: whether the memory stays flat, and how far slow answers are from usual ones. Three HTTP
// units on SQLite, against the same written by hand at 80 % of what that can do. Requests come at a fixed rate, whatever the
// answers take. Not measured: hours; more than the service can do; other work than short runs.
import { memoryCourse, unevenness } from '../support/memory-course.ts';
import { memoryBehind, startByHand, startFlowgate, startUnit } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings, type Quantity } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { figureOf, percentile } from '../support/statistics.ts';
import { joined, SteadyLoad, type Steady } from '../support/steady-load.ts';
import { SQLITE_DURABILITY } from './engine.ts';

/** Who answers so late at the hundredth request was overloaded, for at least some of the time. */
const MOST_TAIL = 100;

const OVERLOADED = {
  name: 'hand-written',
  reason: 'could not hold its rate all the time, so that a ratio of the two would say nothing',
};

const [OURS, BY_HAND] = ['Flowgate, on SQLite', 'written by hand'];

export const sustained: Part = {
  name: 'sustained',
  title: 'ten minutes at 80 % of its own maximum, beside the same by hand: memory, p50 and p99',
  minutes: 21.5,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const unit = await startUnit(scope);
  const service = await startFlowgate(scope, 'sqlite', { unitEndpoint: unit });
  const ours = await SteadyLoad.prepare(scope, OURS, service, effort);
  const byHand = await SteadyLoad.prepare(scope, BY_HAND, await startByHand(scope, unit), effort);
  const seconds = effort.sustainedMinutes * 60;
  // Half of it before and half of it after, so that a machine that becomes slower meanwhile is slower for both.
  const before = await byHand.during(seconds / 2);
  const steady = await ours.during(seconds);
  const behind = await memoryBehind(service.root);
  // What it put off for the load it would do while the other is loaded.
  await service.caughtUp?.();
  const floor = joined(before, await byHand.during(seconds / 2));
  const isOverloaded = tailOf(floor) > MOST_TAIL;
  const course = { id: 'sustained-memory', title: 'Resident memory at 80 % of its own maximum' };
  return {
    ...NOTHING_FOUND,
    series:
      steady.memory.length === 0
        ? []
        : [memoryCourse(course, { [OURS]: steady.memory, [BY_HAND]: floor.memory })],
    quantities: [
      ...quantitiesOf('ours', OURS, steady),
      ...quantitiesOf('by-hand', BY_HAND, floor),
      ...(isOverloaded
        ? []
        : [
            quantity(
              'tail-ratio',
              'p99 / p50, Flowgate against by hand',
              '×',
              tailOf(steady) / tailOf(floor),
            ),
          ]),
      quantity('behind', 'Entries of the log that the memory has not read at the end', 'entries', behind),
    ],
    settings: {
      'minutes of each': effort.sustainedMinutes,
      order: 'half of that by hand, then Flowgate, then the other half by hand',
    },
    notAvailable: isOverloaded ? [OVERLOADED] : [],
    durability: { [OURS]: SQLITE_DURABILITY, [BY_HAND]: 'nothing is durable, nothing is tried again' },
  };
}

function quantitiesOf(id: string, name: string, steady: Steady): readonly Quantity[] {
  const { perSecond, tookMs, memory, cpuMicros, generatorMicros } = steady;
  const costs = [
    { cost: 'cpu', title: 'CPU', micros: cpuMicros },
    { cost: 'generator', title: 'CPU of the load generator', micros: generatorMicros },
  ];
  return [
    quantity(`rate-${id}`, `${name}: load`, 'runs/s', perSecond),
    quantity(`p50-${id}`, `${name}: p50`, 'ms', percentile(tookMs, 0.5)),
    quantity(`p99-${id}`, `${name}: p99`, 'ms', percentile(tookMs, 0.99)),
    quantity(`tail-${id}`, `${name}: p99 / p50`, '×', tailOf(steady)),
    ...costs.flatMap(({ cost, title, micros }) =>
      micros === null ? [] : [quantity(`${cost}-${id}`, `${name}: ${title}`, 'µs per run', micros)],
    ),
    ...(memory.length === 0
      ? []
      : [
          quantity(
            `memory-${id}`,
            `${name}: memory, largest tenth of the time against the smallest, after the first two`,
            '%',
            unevenness(memory),
          ),
        ]),
  ];
}

function tailOf({ tookMs }: Steady): number {
  return percentile(tookMs, 0.99) / percentile(tookMs, 0.5);
}

function quantity(id: string, title: string, unit: string, value: number): Quantity {
  return { id, title, unit, value: figureOf([value]) };
}
