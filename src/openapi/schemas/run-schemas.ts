import { RUN_STATUSES } from '../../engine/vocabulary.js';
import { ANY_OBJECT, INSTANT, namedSchema, NUMBER, objectOf, refTo, TEXT, TEXTS } from '../schema-class.js';
import { MessageSchema } from './message-schema.js';

const NEXT = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end',
};
const COMPLETED_UNITS = { ...TEXTS, description: 'Ids, in the order of their first completion' };
const STATE = { ...ANY_OBJECT, description: 'The shared state, with `output.<unitId>` of each unit' };

const ResultSchema = namedSchema(
  'WorkflowResult',
  objectOf({
    runId: TEXT,
    completedUnits: COMPLETED_UNITS,
    state: STATE,
    messages: { type: 'array', items: refTo(MessageSchema), description: 'The newest 1,000, oldest first' },
    duration: { ...NUMBER, description: 'Milliseconds, without the time that the run was paused' },
    tokenUsage: NUMBER,
    cost: { ...NUMBER, description: 'In the currency that the units report' },
  }),
  [MessageSchema],
);

/** The response of run operations (interface, section 2). */
export const RunRecordSchema = namedSchema(
  'RunRecord',
  objectOf(
    {
      runId: TEXT,
      workflowId: TEXT,
      status: { enum: RUN_STATUSES },
      createdAt: INSTANT,
      updatedAt: INSTANT,
      result: { ...refTo(ResultSchema), description: 'When completed or paused' },
      error: { ...TEXT, description: 'When failed' },
      cancelled: { const: true, description: 'When somebody cancelled it; its `status` is `failed` then' },
      warnings: {
        type: 'array',
        items: TEXT,
        description:
          'Of a POST: fields of its body that nobody reads and that look meant. Not kept with the run',
      },
    },
    ['result', 'error', 'cancelled', 'warnings'],
  ),
  [ResultSchema],
);

export const MessageListSchema = namedSchema(
  'MessageList',
  objectOf({ messages: { type: 'array', items: refTo(MessageSchema) }, next: NEXT }),
  [MessageSchema],
);

const SNAPSHOT = { snapshotId: TEXT, createdAt: INSTANT, after: TEXT, unitId: TEXT };
const SummarySchema = namedSchema('SnapshotSummary', objectOf(SNAPSHOT));

export const SnapshotListSchema = namedSchema(
  'SnapshotList',
  objectOf({ snapshots: { type: 'array', items: refTo(SummarySchema) }, next: NEXT }),
  [SummarySchema],
);

export const SnapshotSchema = namedSchema(
  'Snapshot',
  objectOf({ ...SNAPSHOT, completedUnits: COMPLETED_UNITS, state: STATE }),
);
