import type { CutValue, RunEvent } from '../../../../clients/typescript/src/types/events.js';
import type { InheritedEvent } from '../log/fold-events.js';
import type { Execution } from '../log/picture.js';

/** An event with a value, and where in its data that is. */
export interface ValuePlace {
  readonly event: RunEvent | InheritedEvent;
  readonly field: 'input' | 'payload' | 'output' | 'patch' | 'values' | 'error';
}

/** What was left out of a value for its size. */
export function cutOf({ event, field }: ValuePlace): readonly CutValue[] {
  const { cut = [] } = event;
  return cut.filter(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`));
}

export interface FactsOfCall {
  /** What it was given; null: that is in a part of the log that was not read. */
  readonly given: ValuePlace | null;
  /** Whether it was given nothing of its own, and so the input of the run. */
  readonly isGivenInputOfRun: boolean;
  /** The event that ended it; null: it has not ended, or that was not read. */
  readonly ended: ValuePlace | null;
}

/** The events of a run that were read. */
export interface Logs {
  readonly events: readonly RunEvent[];
  /** What a fork inherited. */
  readonly inherited: readonly InheritedEvent[];
}

/** Where the values of a call are. Of what a fork inherited they are in the log of the run that made the call, with its input. */
export function factsOfCall(
  { events, inherited }: Logs,
  { id, endSeq, gate }: Pick<Execution, 'id' | 'endSeq' | 'gate'>,
): FactsOfCall {
  const at = (seq: number | null) => eventAt(seq !== null && seq <= 0 ? inherited : events, seq);
  const [begun, ended] = [at(id), at(endSeq)];
  const field = gate === undefined ? 'input' : 'payload';
  const isGivenInputOfRun = begun !== undefined && field === 'input' && !isThere({ event: begun, field });
  const place = isGivenInputOfRun ? startOf(begun, id <= 0 ? inherited : events) : begun;
  return {
    given: place === undefined ? null : { event: place, field },
    isGivenInputOfRun,
    ended: ended === undefined ? null : { event: ended, field: 'output' },
  };
}

/** Also where it was left out for its size. */
export function isThere(place: ValuePlace): boolean {
  return place.event.data[place.field] !== undefined || cutOf(place).length > 0;
}

/** The event with which the run of an event began. */
function startOf<Event extends RunEvent>({ runId }: RunEvent, events: readonly Event[]): Event | undefined {
  return events.find((event) => event.type === 'run-started' && event.runId === runId);
}

/** Events are in the order of their seqs. */
function eventAt<Event extends RunEvent>(events: readonly Event[], seq: number | null): Event | undefined {
  if (seq === null) return undefined;
  let [low, high] = [0, events.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event === undefined || event.seq === seq) return event;
    if (event.seq < seq) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
