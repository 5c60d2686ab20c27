import {
  FAILURE_OUTCOMES,
  GATE_CLOSINGS,
  ON_REJECT,
  ON_TIMEOUT,
  START_ORIGINS,
  WAYS_IN,
} from '../../engine/vocabulary.js';
import {
  ANY_OBJECT,
  INSTANT,
  namedSchema,
  NUMBER,
  objectOf,
  refTo,
  TEXT,
  type JsonSchema,
  type SchemaClass,
} from '../schema-class.js';

const SEQ: JsonSchema = { type: 'integer', minimum: 1 };
const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const FLAG: JsonSchema = { type: 'boolean' };
const ANY: JsonSchema = {};
const OBJECT_OR_NULL: JsonSchema = { type: ['object', 'null'] };
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
const EXECUTION_ID: JsonSchema = {
  ...SEQ,
  description: 'One per call, or per wait or child run; its retries keep it',
};
const OUTCOME: JsonSchema = {
  enum: FAILURE_OUTCOMES,
  description: '`unknown`: the unit may have done its work',
};
const USAGE: JsonSchema = { ...objectOf({ tokens: NUMBER, cost: NUMBER }), type: ['object', 'null'] };
const KIND: JsonSchema = { enum: ['unit', 'timer', 'child'] };
const BY: JsonSchema = {
  ...objectOf(
    {
      id: TEXT,
      name: TEXT,
      via: { enum: WAYS_IN },
      auth: {
        enum: ['none', 'host', 'key', 'jwt'],
        description:
          '`none`: it was only claimed. `key`, `jwt`: known by an API key or a token; `host`: by the application around Flowgate',
      },
      claimed: {
        const: true,
        description:
          'The run was imported, and its log says so: nobody here knows. Only where it is asked who is asking',
      },
    },
    ['name', 'claimed'],
  ),
  description: 'Who did it',
};

/** Fields that are neither text nor values of the run are always present; others may be left out for their size (`cut`). */
function data(
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
) {
  return objectOf({ ...required, ...optional }, Object.keys(optional));
}

/** Of what happens in a pass of a foreach that names its items. */
const ITEM: Readonly<Record<string, JsonSchema>> = {
  index: { ...COUNT, description: 'The place of the item of its pass, of a foreach with `itemKey`' },
  itemKey: { ...TEXT, description: 'What the item is called' },
};

const UNIT = { executionId: EXECUTION_ID, unitId: TEXT };

/** The `data` of each type, without the item of its pass. */
const DATA: Readonly<Record<string, JsonSchema>> = {
  'run.started': data(
    {
      origin: { enum: START_ORIGINS },
      by: BY,
      definitionHash: TEXT,
      parentRunId: { ...TEXT_OR_NULL, description: 'The run that it is a child of' },
    },
    { input: ANY_OBJECT, labels: { type: 'object', additionalProperties: TEXT } },
  ),
  'run.forked': data(
    { fromRunId: TEXT, fromSeq: COUNT, by: BY },
    { unitId: { ...TEXT, description: 'The unit before which it begins' }, edits: ANY_OBJECT },
  ),
  'run.paused': data(
    {
      reason: {
        enum: [
          'before',
          'after',
          'recovery-limit',
          'undecided',
          'limit',
          'crash-limit',
          'requested',
          'budget',
          'child',
          'gate',
          'waiting',
        ],
        description:
          '`gate`: a gate opened, and nothing else moves; `waiting`: nothing moves any more, and what it waits for was told before',
      },
      unitId: { ...TEXT_OR_NULL, description: 'Null: the whole run' },
    },
    {
      executionId: { ...EXECUTION_ID, description: 'The call that is held back' },
      error: { ...TEXT, description: 'What is wrong, and what to do' },
      by: BY,
      childRunId: TEXT,
      status: {
        enum: ['paused'],
        description:
          'The run is paused from here on; absent: it was already, or something of it moves or is waited for',
      },
    },
  ),
  'run.resumed': data(
    {},
    {
      pauseId: { type: ['integer', 'null'], description: 'Null: a failed run is tried again' },
      by: BY,
      reason: {
        enum: ['child', 'moving', 'compensate'],
        description:
          '`child`: the child run that was paused goes on; `moving`: something of the run moves again; `compensate`: it was over, and what could not be undone is tried again',
      },
      unitId: TEXT,
      childRunId: TEXT,
      status: {
        enum: ['running'],
        description: 'The run was paused until here; absent: it was not, or it was over',
      },
    },
  ),
  'run.rewound': data({ toSeq: COUNT, by: BY }),
  'run.completed': data({}, { output: { ...ANY, description: 'What `spec.output` gave' } }),
  'run.failed': data({}, { error: TEXT }),
  'run.cancelled': data({ by: BY }),
  'unit.scheduled': data(
    { ...UNIT, kind: KIND },
    {
      input: { ...ANY, description: 'Absent: it is given the input of the run' },
      timeoutMs: { ...NUMBER, description: 'Of each attempt' },
      dueAt: { ...INSTANT, description: 'When a wait is over, in epoch milliseconds' },
      childRunId: TEXT,
      childWorkflowId: TEXT,
      compensates: { ...EXECUTION_ID, description: 'The call that it undoes; absent: none' },
    },
  ),
  'unit.retrying': data(
    { ...UNIT, attempt: { ...SEQ, description: 'The one that failed' }, outcome: OUTCOME, retryAt: INSTANT },
    { error: TEXT },
  ),
  'unit.finished': data(
    { ...UNIT, kind: KIND },
    {
      attempt: SEQ,
      output: ANY,
      patch: { ...OBJECT_OR_NULL, description: 'State that the unit wrote beside its output' },
      usage: USAGE,
      metadata: { ...OBJECT_OR_NULL, description: 'What the flow around it reads: `route`, `delegations`' },
      childRunId: TEXT,
    },
  ),
  'unit.failed': data(
    { ...UNIT, kind: KIND },
    { attempt: SEQ, error: TEXT, outcome: OUTCOME, childRunId: TEXT },
  ),
  'unit.skipped': data({ unitId: TEXT }),
  'compensation.started': data({
    owed: { ...COUNT, description: 'How many calls are undone, one after the other, from the last one back' },
  }),
  'compensation.failed': data(
    { executionId: { ...EXECUTION_ID, description: 'The call that is not undone' } },
    { error: TEXT },
  ),
  'compensation.finished': data({
    done: COUNT,
    failed: { ...COUNT, description: 'After their last attempt: `POST …/compensate` tries them again' },
    unknown: { ...COUNT, description: 'Nobody knows whether the unit did its work' },
  }),
  'state.written': data({ unitId: TEXT }, { values: ANY_OBJECT }),
  'gate.opened': data(
    { gateId: SEQ, unitId: TEXT, onReject: { enum: ON_REJECT } },
    {
      title: TEXT,
      description: TEXT_OR_NULL,
      payload: ANY,
      dueAt: { ...INSTANT, description: 'When its time is up; absent: never' },
      onTimeout: { enum: ON_TIMEOUT, description: 'What the engine decides then' },
    },
  ),
  'gate.decided': data(
    { gateId: SEQ, unitId: TEXT, approved: FLAG, by: BY, failed: FLAG },
    {
      responder: TEXT,
      comment: TEXT_OR_NULL,
      timedOut: { enum: [true], description: 'Nobody decided in time: the engine did' },
    },
  ),
  'gate.closed': data({
    gateId: SEQ,
    unitId: TEXT,
    why: {
      enum: GATE_CLOSINGS,
      description:
        'No decision closed it: another branch of a race came first, time was up, the run was cancelled, something around it failed, or the run went back',
    },
  }),
};

/** Types that tell of a unit. */
const OF_UNITS = /^(unit|gate|state)\.|^run\.(paused|resumed)$/;

/** The `data` of each type of event (`PUBLIC_EVENT_TYPES`). */
export const EVENT_DATA: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(DATA).map(([type, schema]) => {
    const properties = { ...(schema['properties'] as object), ...ITEM };
    return [type, OF_UNITS.test(type) ? { ...schema, properties } : schema];
  }),
);

/** In words: ``run.` started, paused or failed; `unit.` scheduled or finished``. */
function typesBySubject(): string {
  const subjects = Map.groupBy(Object.keys(EVENT_DATA), (type) => type.split('.')[0] ?? '');
  return [...subjects]
    .map(
      ([subject, types]) =>
        `\`${subject}.\` ${types.map((type) => type.slice(subject.length + 1)).join(', ')}`,
    )
    .join('; ');
}

/** The name of a type's data: `run.started` is described by `RunStartedData`. */
function nameOfData(type: string): string {
  const words = type.split('.').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Data`;
}

const DATA_SCHEMAS: readonly SchemaClass[] = Object.entries(EVENT_DATA).map(([type, schema]) =>
  namedSchema(nameOfData(type), { ...schema, description: `\`data\` of \`${type}\`` }),
);

const CUT: JsonSchema = {
  type: 'array',
  description: 'Values above 4 KiB, which are left out: the event by itself has them',
  items: objectOf({
    pointer: { ...TEXT, description: 'Into `data` (RFC 6901)' },
    bytes: { ...COUNT, description: 'Of its JSON' },
    head: { ...TEXT, description: 'The beginning of its JSON' },
  }),
};

/** Not a reference to the data of both types: an event stands by itself, in the published schema too. */
const CHANGE: JsonSchema = {
  ...objectOf({ type: { enum: ['run.paused', 'run.resumed'] }, data: ANY_OBJECT }),
  description:
    'What this event made of the run; absent: its status is as before, or the event says so itself',
};

/** The fields of every event; `dataSchema` describes the `data` of its type. */
function eventOf(type: JsonSchema, dataSchema: JsonSchema): JsonSchema {
  return objectOf(
    {
      runId: TEXT,
      workflowId: TEXT,
      seq: {
        ...SEQ,
        description: 'Its position in the log of the run; with gaps, as not every entry is sent',
      },
      at: INSTANT,
      type,
      data: dataSchema,
      cut: CUT,
      change: CHANGE,
      path: { ...TEXT, description: 'With `view=log`: where in the document, a JSON pointer' },
      scope: {
        ...TEXT,
        description: 'With `view=log`: in which instance of that place; the root is the empty text',
      },
    },
    ['cut', 'change', 'path', 'scope'],
  );
}

export const EventSchema = namedSchema(
  'RunEvent',
  eventOf(
    {
      ...TEXT,
      description: `${typesBySubject()}. With \`view=log\` a type of the log`,
    },
    {
      description:
        'As its type says: `RunStartedData` of `run.started`; with `view=log` the fields of the log',
      anyOf: [...DATA_SCHEMAS.map(refTo), ANY_OBJECT],
    },
  ),
  DATA_SCHEMAS,
);

export const EventListSchema = namedSchema(
  'RunEventList',
  objectOf({
    items: { type: 'array', items: refTo(EventSchema), description: 'Oldest first' },
    next: {
      type: ['integer', 'null'],
      description:
        '`afterSeq` of the next page; null: there is nothing more yet. Until then a page may be short, or empty',
    },
  }),
  [EventSchema],
);

/** The schema of public events by itself, without OpenAPI: `schemas/run-events.v1.schema.json`. */
export function eventDocument(): JsonSchema {
  const types = Object.keys(EVENT_DATA);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:flowgate:schema:run-events:v1',
    title: 'What Flowgate tells of runs, version 1',
    description:
      'One public event. Fields are added, and none is taken away or changed, within this version.',
    oneOf: types.map((type) => eventOf({ const: type }, { $ref: `#/$defs/${nameOfData(type)}` })),
    $defs: Object.fromEntries(types.map((type) => [nameOfData(type), EVENT_DATA[type]])),
  };
}
