import { INSTANT, namedSchema, NUMBER, objectOf, refTo, TEXT, TEXTS } from '../schema-class.js';

const WHOLE = { type: ['integer', 'null'], minimum: 1 };

export const WARNING_DETAILS = {
  type: 'array',
  description: 'The same, in the same order, with their codes and locations',
  items: objectOf({ code: TEXT, path: TEXT, line: WHOLE, column: WHOLE, message: TEXT }),
};

export const WARNINGS = {
  ...TEXTS,
  description: 'What was accepted and is probably not meant',
};
const ID_OF_DOCUMENT = { ...TEXT, description: 'The `metadata.id` of the document' };

/** What is shown of every workflow, whichever version. */
export const OF_DOCUMENT = {
  description: { type: ['string', 'null'], description: '`metadata.description`' },
  labels: { type: 'object', additionalProperties: TEXT, description: '`metadata.labels`' },
  units: { ...TEXTS, description: 'Ids, as declared' },
  flowType: { ...TEXT, description: 'The `type` of the outermost flow' },
};

export const RegisteredSchema = namedSchema(
  'Registered',
  objectOf(
    {
      workflowId: ID_OF_DOCUMENT,
      note: { ...TEXT, description: 'Whether the registration survives a restart (`FLOWGATE_REGISTRY`)' },
      warnings: WARNINGS,
      warningDetails: WARNING_DETAILS,
    },
    ['warnings', 'warningDetails'],
  ),
);

const SummarySchema = namedSchema(
  'WorkflowSummary',
  objectOf({
    workflowId: TEXT,
    description: OF_DOCUMENT.description,
    labels: OF_DOCUMENT.labels,
    definitionHash: { ...TEXT, description: 'Another document, binding or setting has another one' },
    registeredAt: INSTANT,
    units: OF_DOCUMENT.units,
    flowType: OF_DOCUMENT.flowType,
  }),
);

export const WorkflowListSchema = namedSchema(
  'WorkflowList',
  objectOf({
    workflows: { ...TEXTS, description: 'Ids, in the order of their registration' },
    items: { type: 'array', items: refTo(SummarySchema), description: 'The same in full' },
  }),
  [SummarySchema],
);

const OK = {
  type: 'boolean',
  description: 'False comes with the status 503, and with `error` and `code`',
};

export const HealthSchema = namedSchema(
  'Health',
  objectOf(
    {
      ok: OK,
      workflows: {
        ...TEXTS,
        description: 'Ids of the registered workflows; absent with access control',
      },
      version: { ...TEXT, description: 'Of the service' },
      memory: {
        ...objectOf({
          behind: { ...NUMBER, description: 'Entries of the log that the search has not read yet' },
        }),
        description: 'Absent, like `undecided` and `stalled`, where it is not known',
      },
      undecided: {
        ...NUMBER,
        description: 'Runs that are paused because what follows could not be decided; a resume tries again',
      },
      stalled: {
        ...NUMBER,
        description:
          'How often since the process started a run was `running` for 30 s with nothing under way, and was read anew. Above 0 is a defect of Flowgate',
      },
      heldUp: {
        ...objectOf({ pid: { type: ['number', 'null'] }, forMs: NUMBER }),
        description: 'The process of the database server that has left a transaction open',
      },
      accessFile: {
        ...TEXT,
        description:
          'Says that the access file cannot be used and the previous one holds, or that replicas hold different ones',
      },
      error: { ...TEXT, description: 'Why `ok` is false' },
      code: { enum: ['shutting-down', 'store'] },
    },
    ['workflows', 'memory', 'undecided', 'stalled', 'heldUp', 'accessFile', 'error', 'code'],
  ),
);

export const LivenessSchema = namedSchema('Liveness', objectOf({ ok: { const: true } }));

export const ReadinessSchema = namedSchema(
  'Readiness',
  objectOf({ ok: OK, error: TEXT, code: { enum: ['shutting-down', 'recovering', 'store'] } }, [
    'error',
    'code',
  ]),
);

const HitSchema = namedSchema(
  'MemoryHit',
  objectOf({
    id: TEXT,
    content: { ...TEXT, description: 'The output; of an object its JSON' },
    score: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      description: 'Greater than 0; the best of a search has 1',
    },
    metadata: objectOf({
      workflowId: TEXT,
      runId: TEXT,
      unitId: TEXT,
      at: INSTANT,
    }),
  }),
);

export const MemorySchema = namedSchema(
  'MemoryHits',
  objectOf({ results: { type: 'array', items: refTo(HitSchema), description: 'Best first' } }),
  [HitSchema],
);
