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
  description: '`cursor` of the next page; null at the end. Until then a page may be short, or empty',
};
const COMPLETED_UNITS = { ...TEXTS, description: 'Ids, in the order of their first completion' };
const STATE = {
  ...ANY_OBJECT,
  description: 'The shared state: keys of the input, `output.<unitId>` of each unit, and what units wrote',
};

const ResultSchema = namedSchema(
  'WorkflowResult',
  objectOf(
    {
      runId: TEXT,
      completedUnits: COMPLETED_UNITS,
      state: STATE,
      messages: { type: 'array', items: refTo(MessageSchema), description: 'The newest 1,000, oldest first' },
      duration: { ...NUMBER, description: 'Milliseconds, without pauses' },
      tokenUsage: { ...NUMBER, description: 'The sum of what the units reported' },
      cost: {
        ...NUMBER,
        description: 'The same, in the currency that units report; by convention US dollars',
      },
      output: { description: 'What `spec.output` gave, of a completed run whose workflow has one' },
    },
    ['output'],
  ),
  [MessageSchema],
);

const RECORD = {
  runId: { ...TEXT, description: 'UUIDv7: later runs sort after earlier ones' },
  workflowId: TEXT,
  status: { enum: RUN_STATUSES, description: '`pending` for the moment before the first write' },
  createdAt: INSTANT,
  updatedAt: INSTANT,
};
const ERROR = {
  ...TEXT,
  description:
    'When failed: the unit, how often it was tried, and the cause; of a cancelled run `Cancelled by …`',
};
const CANCELLED = {
  const: true,
  description: 'Somebody cancelled it; its `status` is `failed`',
};

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
        description: 'Of a POST: ignored fields of its body that look meant. Not kept with the run',
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
    path: orNull(
      TEXT,
      'A JSON pointer into the document of the run; null: not known, as of a run that another version would end otherwise',
    ),
    line: orNull(NUMBER, 'Its line in the document, from 1; null: not known'),
    column: orNull(NUMBER, 'Its column, from 1; null: not known'),
    attempts: { ...NUMBER, description: 'How often the unit was called; 0 for what is not called' },
    code: { enum: [...FAILURE_CODES, null], description: 'The kind of failure; null: not known' },
    message: { ...TEXT, description: 'The `error` of the record' },
  }),
);

const OpenWaitSchema = namedSchema(
  'OpenWait',
  objectOf(
    {
      for: { enum: WAITING_FOR, description: 'As `waitingFor` of the list' },
      id: { ...NUMBER, description: 'The `gateId`, `executionId` or `pauseId`' },
      unitId: orNull(TEXT, 'Null: all of the run'),
      path: { ...TEXT, description: 'A JSON pointer into the document of the run' },
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
      failure: {
        anyOf: [refTo(FailureSchema), { type: 'null' }],
        description: 'What it failed with. Null: it did not fail, or was cancelled',
      },
      waits: {
        type: 'array',
        maxItems: 20,
        items: refTo(OpenWaitSchema),
        description: 'What it waits for, first what needs a person',
      },
      compensation: {
        anyOf: [refTo(CompensationSchema), { type: 'null' }],
        description: 'What became of its compensations. Null: nothing is, or was, to be undone',
      },
      parentRunId: orNull(TEXT, 'Its parent; null: none'),
      rootRunId: {
        ...TEXT,
        description: 'The first run of its family: itself, if it has no parent',
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

const SNAPSHOT = {
  snapshotId: {
    ...TEXT,
    description: 'What `resume` takes: the run id, a dot, and the number of the log entry',
  },
  createdAt: INSTANT,
  after: {
    ...TEXT,
    description:
      'What had happened: `unit-finished`, `gate-opened`, `gate-decided`, `state-written` or `paused`',
  },
  unitId: { ...TEXT, description: 'The unit that ended or stopped there' },
};
const SummarySchema = namedSchema('SnapshotSummary', objectOf(SNAPSHOT));

export const SnapshotListSchema = namedSchema(
  'SnapshotList',
  objectOf({ snapshots: { type: 'array', items: refTo(SummarySchema) }, next: NEXT }),
  [SummarySchema],
);

export const SnapshotSchema = namedSchema(
  'Snapshot',
  objectOf({
    ...SNAPSHOT,
    completedUnits: { ...TEXTS, description: 'Those that had completed then' },
    state: { ...ANY_OBJECT, description: 'The shared state as it was then' },
  }),
);
