import { INSTANT, namedSchema, NUMBER, objectOf, refTo, TEXT, TEXTS } from '../schema-class.js';

const WHOLE = { type: ['integer', 'null'], minimum: 1 };

export const WARNING_DETAILS = {
  type: 'array',
  description: 'The same as `warnings`, in the same order, with what they are about and where that is',
  items: objectOf({ code: TEXT, path: TEXT, line: WHOLE, column: WHOLE, message: TEXT }),
};

export const RegisteredSchema = namedSchema(
  'Registered',
  objectOf({ workflowId: TEXT, note: TEXT, warnings: TEXTS, warningDetails: WARNING_DETAILS }, [
    'warnings',
    'warningDetails',
  ]),
);

const SummarySchema = namedSchema(
  'WorkflowSummary',
  objectOf({
    workflowId: TEXT,
    description: { type: ['string', 'null'] },
    labels: { type: 'object', additionalProperties: TEXT },
    definitionHash: TEXT,
    registeredAt: INSTANT,
    units: TEXTS,
    flowType: TEXT,
  }),
);

export const WorkflowListSchema = namedSchema(
  'WorkflowList',
  objectOf({ workflows: TEXTS, items: { type: 'array', items: refTo(SummarySchema) } }),
  [SummarySchema],
);

const OK = { type: 'boolean' };

export const HealthSchema = namedSchema(
  'Health',
  objectOf(
    {
      ok: OK,
      workflows: { ...TEXTS, description: 'Absent where it is asked who is asking' },
      version: TEXT,
      memory: objectOf({ behind: NUMBER }),
      undecided: NUMBER,
      stalled: NUMBER,
      heldUp: {
        ...objectOf({ pid: { type: ['number', 'null'] }, forMs: NUMBER }),
        description: 'The process of the database server that has left a transaction open',
      },
      accessFile: {
        ...TEXT,
        description:
          'That the access file cannot be used, so that the one before it holds, or that replicas hold different ones',
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
    content: TEXT,
    score: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    metadata: objectOf({ workflowId: TEXT, runId: TEXT, unitId: TEXT, at: INSTANT }),
  }),
);

export const MemorySchema = namedSchema(
  'MemoryHits',
  objectOf({ results: { type: 'array', items: refTo(HitSchema) } }),
  [HitSchema],
);
