import type { EventPage, EventView, RunEvent } from 'flowgate-client';
import { EVENT_PAGE } from '../../engine/request-limits.js';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { askingAbout } from './server/asking.js';
import { eventLine } from './output/event-line.js';
import { checkedLimit, columnsOf, instantText, listed } from './output/listed.js';
import { showValue } from './output/shown.js';
import type { OutputArguments } from './server/output-format.js';
import type { RunArguments, ServerArguments } from './server/server-options.js';

export type EventsArguments = ServerArguments &
  OutputArguments &
  RunArguments & {
    readonly after?: number | undefined;
    readonly tail?: number | undefined;
    readonly seq?: number | undefined;
    readonly limit: number;
    readonly log?: boolean | undefined;
  };

/** The largest page of the server. */
const MAX_PAGE = EVENT_PAGE.most;
const HEADINGS = ['SEQ', 'AT', 'TYPE', 'UNIT', ''];

/** Prints the events of a run, or one event as a whole. */
export async function events(given: EventsArguments): Promise<number> {
  const { seq } = given;
  const view: EventView = given.log === true ? 'log' : 'public';
  const [after, tail] = [whole('after', given.after, 0), whole('tail', given.tail, 1)];
  if (whole('seq', seq, 1) !== undefined) {
    const event = await askingAbout(given, (client, { workflowId, runId }, signal) =>
      client.getEvent(workflowId, runId, seq ?? 0, { view, signal }),
    );
    await showValue(event, given);
    return EXIT.done;
  }
  const limit = checkedLimit(given.limit);
  await askingAbout(given, (client, { workflowId, runId }, signal) =>
    listed({
      items:
        tail === undefined
          ? client.eachEvent(workflowId, runId, {
              afterSeq: after,
              limit: Math.min(limit, MAX_PAGE),
              view,
              signal,
            })
          : lastOnes(client.getEvents(workflowId, runId, { tail, view, signal })),
      headings: HEADINGS,
      rowOf,
      columns: columnsOf([...HEADINGS.slice(0, -1), 'ABOUT'], rowOf, ['UNIT', 'ABOUT']),
      limit,
      asked: given,
    }),
  );
  return EXIT.done;
}

async function* lastOnes(page: Promise<EventPage>): AsyncGenerator<RunEvent> {
  yield* (await page).items;
}

function rowOf(event: RunEvent): readonly string[] {
  const { seq, at, type, data } = event;
  const { unitId } = data;
  const about = eventLine(event)?.text ?? '';
  return [String(seq), instantText(at), type, typeof unitId === 'string' ? unitId : '', about];
}

function whole(name: string, value: number | undefined, least: 0 | 1): number | undefined {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
    throw new UsageError(`--${name} must be a whole number of at least ${least}.`);
  return value;
}
