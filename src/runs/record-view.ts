import { RECORD_VIEWS } from '../engine/vocabulary.js';
import { InvalidRequestError } from '../errors/request-errors.js';
import { Query } from '../http/query/query.js';
import { namesOf, RECORD_VIEW } from '../openapi/parameters.js';

type RecordView = (typeof RECORD_VIEWS)[number];

/** The `view` of the query, default `plain`. Throws an `InvalidRequestError`. */
export function recordViewOf(url: string): RecordView {
  if (!url.includes('?')) return 'plain';
  const query = new Query(url);
  query.expectOnly(namesOf([RECORD_VIEW]));
  const given = query.text('view') ?? 'plain';
  const view = RECORD_VIEWS.find((one) => one === given);
  if (view === undefined) throw new InvalidRequestError(`view must be one of ${RECORD_VIEWS.join(', ')}`);
  return view;
}
