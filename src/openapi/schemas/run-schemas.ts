import { COMPENSATION_STATUSES, FAILURE_CODES, RUN_STATUSES, WAITING_FOR } from '../../engine/vocabulary.js';
import {
  ANY_OBJECT,
  INSTANT,
  namedSchema,
  NUMBER,
  objectOf,
  orNull,
  refTo,
  TEXT,
  TEXTS,
} from '../schema-class.js';
import { MessageSchema } from './message-schema.js';

const NEXT = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end',
};
const COMPLETED_UNITS = { ...TEXTS, description: 'Ids, in the order of their first completion' };
const STATE = { ...ANY_OBJECT, description: 'The shared state, with `output.<unitId>` of each unit' };

const ResultSchema = namedSchema(
  'WorkflowResult',
  objectOf(
    {
      runId: TEXT,
      completedUnits: COMPLETED_UNITS,
      state: STATE,
      messages: { type: 'array', items: refTo(MessageSchema), description: 'The newest 1,000, oldest first' },
      duration: { ...NUMBER, description: 'Milliseconds, without the time that the run was paused' },
      tokenUsage: NUMBER,
      cost: { ...NUMBER, description: 'In the currency that the units report' },
      output: { description: 'What `spec.output` gave, where the workflow has one and the run completed' },
    },
    ['output'],
  ),
  [MessageSchema],
);

const RECORD = {
  runId: TEXT,
  workflowId: TEXT,
  status: { enum: RUN_STATUSES },
  createdAt: INSTANT,
  updatedAt: INSTANT,
};
const ERROR = { ...TEXT, description: 'When failed' };
const CANCELLED = { const: true, description: 'When somebody cancelled it; its `status` is `failed` then' };

/** The response of run operations (interface, section 2). */
export const RunRecordSchema = namedSchema(
  'RunRecord',
  objectOf(
    {
      ...RECORD,
      result: { ...refTo(ResultSchema), description: 'When completed or paused' },
      error: ERROR,
      cancelled: CANCELLED,
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

const FailureSchema = namedSchema(
  'RunFailure',
  objectOf({
    unitId: orNull(TEXT, 'The unit that failed; null: a flow did'),
    path: orNull(TEXT, 'A JSON pointer into the document of the version; null: that is not known'),
    line: orNull(NUMBER, 'Counts from 1'),
    column: orNull(NUMBER, 'Counts from 1'),
    attempts: { ...NUMBER, description: 'How often the unit was called; 0 for what is not called' },
    code: { enum: [...FAILURE_CODES, null], description: 'Null: that is not known' },
    message: { ...TEXT, description: 'The `error` of the record' },
  }),
);

const OpenWaitSchema = namedSchema(
  'OpenWait',
  objectOf(
    {
      for: { enum: WAITING_FOR },
      id: { ...NUMBER, description: 'The `gateId`, `executionId` or `pauseId`' },
      unitId: orNull(TEXT, 'Null: all of the run'),
      path: { ...TEXT, description: 'A JSON pointer into the document of the version' },
      dueAt: { ...INSTANT, description: 'When it ends by itself, or is tried again' },
      childRunId: TEXT,
      reason: { ...TEXT, description: 'Why somebody has to resume it' },
      index: NUMBER,
      itemKey: TEXT,
    },
    ['dueAt', 'childRunId', 'reason', 'index', 'itemKey'],
  ),
);

export const CompensationSchema = namedSchema(
  'Compensation',
  objectOf({
    status: { enum: COMPENSATION_STATUSES },
    done: { ...NUMBER, description: 'Calls that were undone' },
    failed: { ...NUMBER, description: 'Calls that could not be undone' },
    unknown: { ...NUMBER, description: 'Calls that may have been made, and that nobody undoes' },
  }),
);

/** The record with all that is known of the run (`view=full`). */
const FullRunRecordSchema = namedSchema(
  'FullRunRecord',
  objectOf(
    {
      ...RECORD,
      result: { ...refTo(ResultSchema), description: 'Whatever the status' },
      error: ERROR,
      cancelled: CANCELLED,
      failure: { anyOf: [refTo(FailureSchema), { type: 'null' }], description: 'Null: it did not fail' },
      waits: {
        type: 'array',
        maxItems: 20,
        items: refTo(OpenWaitSchema),
        description: 'What it waits for, first what a person has to act upon',
      },
      compensation: {
        anyOf: [refTo(CompensationSchema), { type: 'null' }],
        description: 'Null: it did nothing that is, or was, to be undone',
      },
      parentRunId: orNull(TEXT, 'The run that it is a child of; null: of none'),
      rootRunId: {
        ...TEXT,
        description: 'The run that its family began with: itself, where it has no parent',
      },
    },
    ['error', 'cancelled'],
  ),
  [ResultSchema, FailureSchema, OpenWaitSchema, CompensationSchema],
);

/** What a read of a run answers with: the record of the view. */
export const ReadRunSchema = namedSchema(
  'ReadRun',
  { anyOf: [refTo(RunRecordSchema), refTo(FullRunRecordSchema)] },
  [RunRecordSchema, FullRunRecordSchema],
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
