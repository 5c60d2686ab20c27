import { WAYS_IN } from '../../engine/vocabulary.js';
import { INSTANT, namedSchema, NUMBER, TEXT, type JsonSchema } from '../schema-class.js';

/** Any JSON value. */
const ANYTHING: JsonSchema = {};

/** How a decision came. */
const WAY_IN: JsonSchema = { enum: WAYS_IN };

/** How a child run ended; one that was cancelled is distinguished from one that failed. */
const CHILD_END: JsonSchema = { enum: ['completed', 'failed', 'cancelled'] };

/** The kinds of messages, and the fields that each has in addition to `type` and `timestamp`. */
const KINDS: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  'unit-output': { sourceUnitId: TEXT, data: ANYTHING, attempt: NUMBER },
  'unit-skipped': { unitId: TEXT },
  'unit-retry': { unitId: TEXT, attempt: NUMBER, error: TEXT, delayMs: NUMBER },
  'unit-failed': { unitId: TEXT, attempt: NUMBER, error: TEXT },
  'state-update': { key: TEXT },
  'cost-update': { unitId: TEXT, tokens: NUMBER, cost: NUMBER },
  delegation: { sourceUnitId: TEXT, targetUnitId: TEXT, task: ANYTHING },
  'hitl-request': { unitId: TEXT, gateId: NUMBER, action: TEXT, payload: ANYTHING },
  'hitl-response': { gateId: NUMBER, approved: { type: 'boolean' }, responder: TEXT, via: WAY_IN },
  checkpoint: { runId: TEXT, snapshotId: TEXT },
  'timer-set': { unitId: TEXT, dueAt: INSTANT },
  'child-started': { unitId: TEXT, childRunId: TEXT, workflowId: TEXT },
  'child-paused': { unitId: TEXT, childRunId: TEXT },
  'child-ended': { unitId: TEXT, childRunId: TEXT, status: CHILD_END },
  'run-paused': { reason: TEXT, unitId: TEXT, error: TEXT },
  'run-failed': { error: TEXT },
  'cancel-requested': { by: TEXT },
  'run-cancelled': { by: TEXT },
  'policy-violation': { unitId: TEXT, violation: TEXT },
  rewound: { snapshotId: TEXT },
};

/** One line of the readable history of a run. */
export const MessageSchema = namedSchema('RunMessage', {
  properties: {
    type: { enum: Object.keys(KINDS) },
    timestamp: INSTANT,
    index: { ...NUMBER, description: 'The place of the item of its pass, of a foreach with `itemKey`' },
    itemKey: { ...TEXT, description: 'What the item is called' },
    claimed: {
      const: true,
      description: 'Who did it is said by the log of a run that was imported, and nobody here knows',
    },
  },
  required: ['type', 'timestamp'],
  oneOf: Object.entries(KINDS).map(([type, fields]) => ({
    type: 'object',
    properties: { type: { const: type }, ...fields },
    required: ['type', ...Object.keys(fields)],
  })),
});
