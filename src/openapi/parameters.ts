import {
  EVENT_PAGE as EVENT_LIMITS,
  HISTORY_PAGE,
  SEARCH_RESULTS,
  type PageLimit,
} from '../engine/request-limits.js';
import { EVENT_VIEWS, RECORD_VIEWS } from '../engine/vocabulary.js';
import type { Parameter } from './operation.js';
import type { JsonSchema } from './schema-class.js';

const ID: JsonSchema = { type: 'string', minLength: 1 };

function inPath(name: string, description: string, schema: JsonSchema = ID): Parameter {
  return { name, in: 'path', required: true, description, schema };
}

function inQuery(name: string, description: string, schema: JsonSchema, required = false): Parameter {
  return { name, in: 'query', required, description, schema };
}

/** The names of query parameters: which a query may have, and what a near miss of one is compared with. */
export function namesOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
}

/** Of a `limit`, with its default; a number above the most is refused, or else reduced to it, which no schema says. */
export function limitSchema(
  { least, most, usual }: PageLimit,
  { refusesMore }: { readonly refusesMore: boolean },
): JsonSchema {
  return { type: 'integer', minimum: least, ...(refusesMore ? { maximum: most } : {}), default: usual };
}

export const WORKFLOW_ID = inPath('id', 'The workflow', { ...ID, maxLength: 256 });
export const RUN_ID = inPath('runId', 'A run of the workflow');
export const ANY_RUN_ID = inPath('runId', 'A run');
export const RECORD_VIEW = inQuery(
  'view',
  '`full`: all that is known of the run, and where and why it failed',
  { enum: RECORD_VIEWS, default: 'plain' },
);
export const KEY_ID = inPath('id', 'A key, by its id', { ...ID, maxLength: 64 });
export const OWNER = inPath('owner', 'An account', { ...ID, maxLength: 256 });
export const OF_OWNER = inQuery('owner', 'Those of this account; others than yours need `key:manage`', {
  ...ID,
  maxLength: 256,
});
export const SNAPSHOT_ID = inPath('snapshotId', 'A checkpoint of the run');

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Sent again with the same key, the same request does nothing and answers for the same run',
  // Headers cannot begin or end with blanks, which are removed on the way.
  schema: { type: 'string', minLength: 1, maxLength: 256, pattern: '^[ -~]+$' },
};

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` that is had',
  schema: { type: 'string' },
};

const LONG_PAGE: readonly Parameter[] = [
  inQuery(
    'limit',
    'How many at most; above 1,000 counts as 1,000',
    limitSchema(HISTORY_PAGE, { refusesMore: false }),
  ),
  inQuery('cursor', '`next` of the page before', { type: 'string' }),
];

/** The page parameters of messages. */
export const PAGE: readonly Parameter[] = [
  ...LONG_PAGE,
  inQuery(
    'afterSeq',
    'The older name of `cursor`; also takes the number of a log entry, with which snapshot ids end',
    {
      type: 'string',
    },
  ),
];

/** The page parameters of checkpoints. */
export const PAGE_OF_SNAPSHOTS: readonly Parameter[] = [
  ...LONG_PAGE,
  inQuery(
    'afterSeq',
    'Instead of `cursor`, and oldest first: after the log entry of this number (0: from the first), or `next` of such a page',
    {
      type: 'string',
    },
  ),
];

export const HASH = inPath('hash', 'The `definitionHash` of a version');
export const OF_HASH = inQuery(
  'hash',
  'The `definitionHash` of a version; default: the one that is registered',
  ID,
);
export const FROM_HASH = inQuery('from', 'The `definitionHash` of one version', ID, true);
export const TO_HASH = inQuery('to', 'The `definitionHash` of another one', ID, true);

/** The page parameters of a run's events. */
export const EVENT_PAGE: readonly Parameter[] = [
  inQuery('afterSeq', '`next` of the page before, or the `seq` of any event', {
    type: 'integer',
    minimum: 0,
    default: 0,
  }),
  inQuery(
    'limit',
    'How many at most. A page ends at 1 MiB, too. Not of a stream',
    limitSchema(EVENT_LIMITS, { refusesMore: true }),
  ),
  inQuery('tail', 'This many of the newest, instead of the others; not of a stream', {
    type: 'integer',
    minimum: EVENT_LIMITS.least,
    maximum: EVENT_LIMITS.most,
  }),
];
export const EVENT_VIEW = inQuery(
  'view',
  '`log`: the events of the log itself, also of branches, items, joins and waits, with `path` and `scope`',
  {
    enum: EVENT_VIEWS,
    default: 'public',
  },
);
export const EVENT_SEQ = inPath('seq', '`seq` of the event', { type: 'integer', minimum: 1 });
export const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Of a stream: the id that was seen last; it wins over `afterSeq`',
  schema: { type: 'string' },
};

export const QUERY = inQuery(
  'q',
  'The words; from three letters on the beginning of one is enough',
  { type: 'string' },
  true,
);
export const TOP_K = inQuery(
  'topK',
  'How many at most; above 100 counts as 100',
  limitSchema(SEARCH_RESULTS, { refusesMore: false }),
);

/** The session header of the 2025 revisions of MCP. */
export const SESSION: Parameter = {
  name: 'Mcp-Session-Id',
  in: 'header',
  required: false,
  description: 'What `initialize` answered with; without it the answer is 405',
  schema: { type: 'string', minLength: 1 },
};
