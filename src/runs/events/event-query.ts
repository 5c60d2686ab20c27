import { EVENT_PAGE } from '../../engine/request-limits.js';
import { EVENT_VIEWS, type EventView } from '../../engine/vocabulary.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import type { Query } from '../../http/query/query.js';
import { EVENT_PAGE as EVENT_PARAMETERS, EVENT_VIEW, namesOf } from '../../openapi/parameters.js';

const PARAMETERS = namesOf([...EVENT_PARAMETERS, EVENT_VIEW]);
const { least: FEWEST, most: MOST } = EVENT_PAGE;

/** The events that are requested. */
interface EventQuery {
  readonly afterSeq: number | undefined;
  readonly limit: number | undefined;
  readonly tail: number | undefined;
  readonly view: EventView;
}

/** Throws an `InvalidRequestError`. */
export function eventQueryOf(query: Query): EventQuery {
  query.expectOnly(PARAMETERS);
  const afterSeq = wholeNumber(query, 'afterSeq', 0, Number.MAX_SAFE_INTEGER);
  const limit = wholeNumber(query, 'limit', FEWEST, MOST);
  const tail = wholeNumber(query, 'tail', FEWEST, MOST);
  if (tail !== undefined && (afterSeq !== undefined || limit !== undefined)) {
    throw new InvalidRequestError('tail stands for itself: send it without afterSeq and limit');
  }
  return { afterSeq, limit, tail, view: viewOf(query) };
}

/** The query of a stream, which has no pages. Throws an `InvalidRequestError`. */
export function streamQueryOf(query: Query): Pick<EventQuery, 'afterSeq' | 'view'> {
  const { afterSeq, limit, tail, view } = eventQueryOf(query);
  if (limit === undefined && tail === undefined) return { afterSeq, view };
  throw new InvalidRequestError('A stream has no pages: leave limit and tail out, or ask for JSON');
}

export function viewOf(query: Query): EventView {
  const given = query.text('view') ?? 'public';
  const view = EVENT_VIEWS.find((one) => one === given);
  if (view === undefined) throw new InvalidRequestError(`view must be one of ${EVENT_VIEWS.join(', ')}`);
  return view;
}

/** The seq of an event in a path or a header; null if it is invalid. */
export function seqFrom(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function wholeNumber(query: Query, name: string, least: number, most: number): number | undefined {
  const given = query.text(name);
  if (given === null) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= least && value <= most) return value;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new InvalidRequestError(`${name} must be a whole number ${bounds}`);
}
