import { LIST_PAGE as LIST_LIMITS, MOST_LABELS_OF_A_FILTER } from '../engine/request-limits.js';
import { AUDIT_ACTIONS, GATE_STATUSES, PUBLISHED_ORIGINS, RUN_STATUSES } from '../engine/vocabulary.js';
import type { Parameter } from './operation.js';
import { limitSchema } from './parameters.js';
import type { JsonSchema } from './schema-class.js';

const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 256 };
const INSTANT: JsonSchema = { type: 'string', description: 'Epoch milliseconds, or RFC 3339' };

function filter(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', required: false, description, schema };
}

/** The parameters of every list. */
export const LIST_PAGE: readonly Parameter[] = [
  filter('limit', 'How many at most', limitSchema(LIST_LIMITS, { refusesMore: true })),
  filter('cursor', '`next` of the page before, of the same filter', { type: 'string' }),
];

export const OF_WORKFLOW = filter('workflowId', 'Those of this workflow', TEXT);

export const GATE_STATUS = filter('status', 'Those that wait, or those that were decided', {
  enum: GATE_STATUSES,
  default: 'open',
});

export const AUDIT_FILTERS: readonly Parameter[] = [
  filter('owner', 'What this account did', TEXT),
  filter('action', 'What was done', { enum: AUDIT_ACTIONS }),
  filter('runId', 'What was done to this run, also after it was purged', TEXT),
  filter('after', 'Done then or later: epoch milliseconds, or RFC 3339', INSTANT),
  filter('before', 'Done before: epoch milliseconds, or RFC 3339', INSTANT),
];

/** The filters that all lists of runs have. */
export const RUN_FILTERS: readonly Parameter[] = [
  filter('status', `One or more of ${RUN_STATUSES.join(', ')}, with commas between`, { type: 'string' }),
  filter('label', '`name:value`; up to three times, and all of them hold. The value may hold colons', {
    type: 'array',
    items: { type: 'string' },
    maxItems: MOST_LABELS_OF_A_FILTER,
  }),
  filter('createdAfter', 'Made then or later: epoch milliseconds, or RFC 3339', INSTANT),
  filter('createdBefore', 'Made before: epoch milliseconds, or RFC 3339', INSTANT),
  filter('openGate', '`true`: a gate of theirs waits for a decision', { enum: ['true'] }),
  filter('gateUnit', 'A gate of this unit waits for a decision', TEXT),
  filter('cancelled', '`true`: those that were cancelled; `false`: the others', { type: 'boolean' }),
  filter('origin', 'What made them', { enum: PUBLISHED_ORIGINS }),
  filter('forkedFrom', 'Forks of this run', TEXT),
  filter('parent', 'Children of this run, which its `builtin.workflow` units started', TEXT),
  filter('definitionHash', 'Those of this version of their workflow', TEXT),
  filter('id', 'The beginning of their ids', TEXT),
];
