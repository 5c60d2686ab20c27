import type { RequestFault } from '../../errors/request-errors.js';

/**
 * Names that filter, order or limit a list in other APIs, and the parameters of ours that are probably meant, most
 * likely first.
 */
const MEANT: readonly (readonly [names: readonly string[], meant: readonly string[]])[] = [
  [['state', 'states', 'statuses', 'phase'], ['status']],
  [
    ['page', 'pageToken', 'page_token', 'pageNumber', 'offset', 'skip', 'continuation', 'startAfter'],
    ['cursor', 'afterSeq'],
  ],
  [['pageSize', 'page_size', 'perPage', 'per_page', 'maxResults', 'max_results', 'take'], ['limit']],
  [
    ['since', 'from', 'startTime', 'after'],
    ['createdAfter', 'afterSeq'],
  ],
  [['until', 'to', 'endTime', 'before'], ['createdBefore']],
  [['tag', 'tags'], ['label']],
  [['runId', 'run_id', 'run', 'prefix'], ['id']],
  [
    ['version', 'hash'],
    ['definitionHash', 'hash'],
  ],
  [['unit', 'unitId', 'unit_id'], ['gateUnit']],
  [['source', 'sourceRunId', 'forkOf'], ['forkedFrom']],
  [['parentId', 'parent_id', 'parentRunId', 'parent_run_id', 'parentRun'], ['parent']],
];

/** What no list supports, and what to do instead. */
const NOT_HERE: readonly (readonly [names: readonly string[], advice: string])[] = [
  [
    [
      'sort',
      'sortBy',
      'sort_by',
      'order',
      'orderBy',
      'order_by',
      'ordering',
      'direction',
      'asc',
      'desc',
      'reverse',
    ],
    'the order of a list is fixed; leave it out',
  ],
  [['filter', 'where', 'search', 'query'], 'a list is filtered by its own parameters; leave it out'],
];

/** None of our parameters fits; without this one the response would have been the same. */
const NO_SUCH = 'nothing here is filtered or cut by it; leave it out';

const WORDS = new Map<string, { readonly meant: readonly string[]; readonly advice: string }>([
  ...MEANT.flatMap(([names, meant]) =>
    names.map((name) => [letters(name), { meant, advice: NO_SUCH }] as const),
  ),
  ...NOT_HERE.flatMap(([names, advice]) =>
    names.map((name) => [letters(name), { meant: [], advice }] as const),
  ),
]);

/**
 * Faults for parameters that would filter or order a list in other APIs and have no effect here: a client that sends
 * one would take the whole list for a part of it (decision 0093). What a host adds, such as `access_token` or `_`, is
 * ignored.
 */
export function misplacedParameters(
  given: Iterable<string>,
  known: readonly string[],
): readonly RequestFault[] {
  return [...given].flatMap((name) => {
    const word = known.includes(name) ? undefined : WORDS.get(letters(name));
    if (word === undefined) return [];
    const meant = word.meant.find((one) => known.includes(one));
    const advice = meant === undefined ? word.advice : `did you mean ${meant}?`;
    return [{ path: name, message: `${name} is no parameter here: ${advice}` }];
  });
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
