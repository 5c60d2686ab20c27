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
  description:
    'The shared state: the keys of the input, `output.<unitId>` of each unit, and what units wrote themselves',
};

const ResultSchema = namedSchema(
  'WorkflowResult',
  objectOf(
    {
      runId: TEXT,
      completedUnits: COMPLETED_UNITS,
      state: STATE,
      messages: { type: 'array', items: refTo(MessageSchema), description: 'The newest 1,000, oldest first' },
      duration: { ...NUMBER, description: 'Milliseconds, without the time that the run was paused' },
      tokenUsage: { ...NUMBER, description: 'The sum of what the units reported' },
      cost: {
        ...NUMBER,
        description: 'Likewise, in the currency that the units report; by convention US dollars',
      },
      output: { description: 'What `spec.output` gave, where the workflow has one and the run completed' },
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
  description: 'When somebody cancelled it, with the `status` `failed`: a cancelled run has none of its own',
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
    path: orNull(
      TEXT,
      'Where it stands in the document of the version of the run, a JSON pointer; null: that is not known, as of a run that another version would end otherwise',
    ),
    line: orNull(NUMBER, 'The same as a line of the document, from 1; null: that is not known'),
    column: orNull(NUMBER, 'And as a column, from 1; null: that is not known'),
    attempts: { ...NUMBER, description: 'How often the unit was called; 0 for what is not called' },
    code: { enum: [...FAILURE_CODES, null], description: 'What kind of failure; null: that is not known' },
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
      failure: {
        anyOf: [refTo(FailureSchema), { type: 'null' }],
        description: 'What it failed with. Null: it did not fail, or was cancelled',
      },
      waits: {
        type: 'array',
        maxItems: 20,
        items: refTo(OpenWaitSchema),
        description: 'What it waits for, first what a person has to act upon',
      },
      compensation: {
        anyOf: [refTo(CompensationSchema), { type: 'null' }],
        description:
          'What became of what other units undo. Null: it did nothing that is, or was, to be undone',
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

const SNAPSHOT = {
  snapshotId: {
    ...TEXT,
    description: 'What `resume` takes: the run id, a dot, and the number of the entry of the log',
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
