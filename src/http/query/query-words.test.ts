import { Query } from './query.js';

const RUNS = [
  'workflowId',
  'status',
  'label',
  'createdAfter',
  'createdBefore',
  'gateUnit',
  'parent',
  'id',
  'limit',
  'cursor',
];
const EVENTS = ['afterSeq', 'limit', 'tail', 'view'];

function refusalOf(search: string, known: readonly string[]): string | null {
  try {
    new Query(`/list?${search}`).expectOnly(known);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a parameter that would filter or order a list elsewhere', () => {
  it.each([
    ['state=paused', RUNS, 'state is no parameter here: did you mean status?'],
    ['stauts=paused', RUNS, 'stauts is no parameter here: did you mean status?'],
    ['sort=asc', RUNS, 'sort is no parameter here: the order of a list is fixed; leave it out'],
    ['order_by=createdAt', RUNS, 'order_by is no parameter here: the order of a list is fixed; leave it out'],
    ['offset=50', RUNS, 'offset is no parameter here: did you mean cursor?'],
    ['page=2', RUNS, 'page is no parameter here: did you mean cursor?'],
    ['pageSize=5', RUNS, 'pageSize is no parameter here: did you mean limit?'],
    ['since=1', RUNS, 'since is no parameter here: did you mean createdAfter?'],
    ['since=1', EVENTS, 'since is no parameter here: did you mean afterSeq?'],
    ['page=2', EVENTS, 'page is no parameter here: did you mean afterSeq?'],
    [
      'state=paused',
      EVENTS,
      'state is no parameter here: nothing here is filtered or cut by it; leave it out',
    ],
    ['parentRunId=x', RUNS, 'parentRunId is no parameter here: did you mean parent?'],
  ])('%s among %j is refused, with the name to use', (search, known, said) => {
    expect(refusalOf(search, known)).toBe(said);
  });

  it('is named with the others', () => {
    expect(refusalOf('stauts=x&sort=asc&page=1', RUNS)?.split('\n')).toHaveLength(3);
  });

  it.each([
    'access_token=x',
    '_=1700000000',
    'utm_source=x',
    'about=x',
    'pretty',
    'status=paused&limit=1',
    '',
  ])('but not %s, which may be a host’s', (search) => {
    expect(refusalOf(search, RUNS)).toBeNull();
  });

  it('and never one that is known', () => {
    expect(refusalOf('from=a&to=b', ['from', 'to'])).toBeNull();
    expect(refusalOf('hash=a', ['hash'])).toBeNull();
  });
});
