import type { Plan } from '../../../src/engine/core/plan/plan.js';
import { eventsAt, renumbered, type ForgedEvent } from './edited-log.js';

/** A number from 0 to below `sides`. */
export type Roll = (sides: number) => number;

type Mutation = (events: ForgedEvent[], roll: Roll, plan: Plan) => void;

/** A location of the plan: mostly one in the root scope, now and then in another one that the log names. */
function locationIn(events: readonly ForgedEvent[], roll: Roll, plan: Plan) {
  const nodes = [...plan.nodes.values()];
  // The gate, and what is next to it, more often than the rest.
  const node = roll(2) === 0 ? nodes[roll(nodes.length)]! : (nodes.at(-1 - roll(3)) ?? nodes[0]!);
  const scopes = events.flatMap((event) => (typeof event['scope'] === 'string' ? [event['scope']] : []));
  const scope = roll(3) > 0 ? '' : (scopes[roll(Math.max(1, scopes.length))] ?? '');
  return { path: node.path, scope, unitId: node.type === 'unit' ? node.unitId : 'behind' };
}

const anyIndex = (events: readonly ForgedEvent[], roll: Roll): number =>
  1 + roll(Math.max(1, events.length - 1));

function change(events: ForgedEvent[], roll: Roll, fields: (event: ForgedEvent) => object): void {
  const index = anyIndex(events, roll);
  const event = events[index];
  if (event !== undefined) events[index] = { ...event, ...fields(event) };
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'another type in its place': (events, roll, plan) => {
    const index = anyIndex(events, roll);
    const { seq, at, path = '', scope = '', unitId = '' } = { ...events[index] } as Record<string, never>;
    const others = eventsAt(
      roll(2) === 0 ? { path, scope, unitId } : locationIn(events, roll, plan),
      1 + roll(events.length),
    );
    events[index] = { ...others[roll(others.length)]!, seq, at };
  },
  'an event that was put in': (events, roll, plan) => {
    const index = anyIndex(events, roll);
    const others = eventsAt(locationIn(events, roll, plan), 1 + roll(events.length));
    events.splice(index, 0, others[roll(others.length)]!);
  },
  'a wait that was opened and closed': (events, roll, plan) => {
    const index = anyIndex(events, roll);
    const location = locationIn(events, roll, plan);
    const id = index + 1;
    const pairs = [
      ['unit-scheduled', 'unit-finished'],
      ['timer-set', 'timer-fired'],
      ['child-started', 'child-ended'],
      ['gate-opened', 'gate-decided'],
      ['paused', 'resumed'],
      ['unit-scheduled', 'unit-failed'],
    ];
    const pair = pairs[roll(pairs.length)]!;
    const found = eventsAt(location, id).filter(({ type }) => pair.includes(type));
    events.splice(
      index,
      0,
      ...(pair[0] === 'paused' ? found.slice(roll(2), 1).concat(found.slice(-2, -1)) : found),
    );
  },
  'events that were left out': (events, roll) => void events.splice(anyIndex(events, roll), 1 + roll(3)),
  'a log that was cut': (events, roll) => void events.splice(anyIndex(events, roll) + 1),
  'an event twice': (events, roll) => {
    const index = anyIndex(events, roll);
    const { seq: _seq, ...again } = events[index] ?? { type: 'run-completed' };
    events.splice(anyIndex(events, roll), 0, again as ForgedEvent);
  },
  'another order': (events, roll) => {
    const [moved] = events.splice(anyIndex(events, roll), 1);
    if (moved !== undefined) events.splice(anyIndex(events, roll), 0, moved);
  },
  'another place': (events, roll, plan) => change(events, roll, () => locationIn(events, roll, plan)),
  'another instant': (events, roll) =>
    change(events, roll, ({ at }) => ({ at: Number(at) + roll(200_000) - 100_000 })),
  'another id': (events, roll) => {
    const ids = ['executionId', 'gateId', 'timerId', 'childId', 'pauseId', 'toSeq', 'attempt', 'key'];
    const id = 1 + roll(events.length);
    change(events, roll, (event) =>
      Object.fromEntries(ids.filter((name) => name in event).map((name) => [name, id])),
    );
  },
  'a patch that no unit may write': (events, roll) => {
    const keys = ['hitl.approved', 'output.last-gate', 'errors.behind', 'fine'];
    change(events, roll, (event) =>
      'patch' in event ? { patch: { [keys[roll(keys.length)]!]: true } } : {},
    );
  },
  'another answer': (events, roll) => {
    const values = [null, 1, { route: 'r1' }, { approved: true }];
    change(events, roll, (event) => ('output' in event ? { output: values[roll(values.length)] } : {}));
  },
};

/** The log with one to three things changed, numbered anew; its first event stays. */
export function mutated(log: readonly ForgedEvent[], roll: Roll, plan: Plan): ForgedEvent[] {
  const events = [...log];
  const names = Object.keys(MUTATIONS);
  for (let times = 1 + roll(3); times > 0; times--)
    MUTATIONS[names[roll(names.length)]!]!(events, roll, plan);
  return renumbered(events);
}
