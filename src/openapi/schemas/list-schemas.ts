import { ON_REJECT, PUBLISHED_ORIGINS, RUN_STATUSES, WAITING_FOR } from '../../engine/vocabulary.js';
import { CompensationSchema } from './run-schemas.js';
import { INSTANT, namedSchema, NUMBER, objectOf, orNull, refTo, TEXT } from '../schema-class.js';

const NEXT = {
  type: ['string', 'null'],
  description: '`cursor` of the next page; null at the end',
};
const UNKNOWN_OF_BEFORE = 'null: it ended before lists recorded this';

const TITLE = { ...TEXT, description: 'At most 200 characters' };
const DUE_AT = { ...INSTANT, description: 'When its time is up; absent: never' };
const TITLE_CUT = { const: true, description: 'It is longer, and truncated here' };

export const RunItemSchema = namedSchema(
  'RunItem',
  objectOf({
    runId: TEXT,
    workflowId: TEXT,
    status: { enum: RUN_STATUSES },
    createdAt: INSTANT,
    updatedAt: INSTANT,
    endedAt: orNull(NUMBER, 'Epoch milliseconds; null: it has not ended'),
    duration: orNull(NUMBER, `Milliseconds without pauses, of a running one until now; ${UNKNOWN_OF_BEFORE}`),
    tokenUsage: orNull(NUMBER, UNKNOWN_OF_BEFORE),
    cost: orNull(NUMBER, `In the currency that the units report; ${UNKNOWN_OF_BEFORE}`),
    labels: { type: 'object', additionalProperties: TEXT, description: 'What it was started with' },
    origin: { enum: PUBLISHED_ORIGINS, description: 'What made it' },
    forkedFrom: orNull(TEXT, 'The run that it was forked from; null: none'),
    parentRunId: orNull(TEXT, 'Its parent; null: none'),
    definitionHash: { ...TEXT, description: 'The version of its workflow' },
    cancelled: { type: 'boolean', description: 'Whether it failed because somebody cancelled it' },
    error: orNull(TEXT, 'Why it failed, at most 1,000 characters; null: it did not'),
    compensation: {
      anyOf: [refTo(CompensationSchema), { type: 'null' }],
      description: `What became of its compensations. Null: nothing is, or was, to be undone; ${UNKNOWN_OF_BEFORE}`,
    },
    waitingFor: {
      enum: [...WAITING_FOR, null],
      description:
        'What has to happen first: a decision, a resume, the end of a child run, a time, or the outcome of a unit; null: it has ended',
    },
    openGates: {
      type: 'array',
      items: objectOf(
        { gateId: NUMBER, unitId: TEXT, title: TITLE, titleCut: TITLE_CUT, openedAt: INSTANT, dueAt: DUE_AT },
        ['titleCut', 'dueAt'],
      ),
      maxItems: 20,
      description: 'The oldest 20 that wait for a decision',
    },
  }),
  [CompensationSchema],
);

export const RunListSchema = namedSchema(
  'RunList',
  objectOf({
    items: {
      type: 'array',
      items: refTo(RunItemSchema),
      description: 'Newest first, by `createdAt`',
    },
    next: NEXT,
  }),
  [RunItemSchema],
);

export const GateItemSchema = namedSchema(
  'GateItem',
  objectOf(
    {
      gateId: NUMBER,
      runId: TEXT,
      workflowId: TEXT,
      definitionHash: TEXT,
      unitId: TEXT,
      path: { ...TEXT, description: 'A JSON pointer into the document' },
      title: TITLE,
      titleCut: TITLE_CUT,
      description: orNull(TEXT, 'At most 1,000 characters; null: none'),
      descriptionCut: { const: true, description: 'It is longer, and truncated here' },
      payload: { description: 'What is to be decided about' },
      payloadCut: {
        const: true,
        description: 'The payload takes more than 64 KiB, in a stream more than 4 KiB, and is null here',
      },
      onReject: { enum: ON_REJECT },
      openedAt: INSTANT,
      dueAt: DUE_AT,
      decision: {
        ...objectOf({
          approved: { type: 'boolean' },
          responder: TEXT,
          decidedAt: INSTANT,
          comment: orNull(TEXT, 'null: none'),
        }),
        description: 'Of one that was decided',
      },
    },
    ['titleCut', 'descriptionCut', 'payloadCut', 'dueAt', 'decision'],
  ),
);

export const GateListSchema = namedSchema(
  'GateList',
  objectOf({
    items: { type: 'array', items: refTo(GateItemSchema) },
    next: NEXT,
    open: { ...NUMBER, description: 'How many wait, of that workflow or of all' },
  }),
  [GateItemSchema],
);
