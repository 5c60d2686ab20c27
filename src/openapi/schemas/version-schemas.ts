import { ANY_OBJECT, INSTANT, namedSchema, objectOf, refTo, TEXT, TEXTS } from '../schema-class.js';
import { WARNING_DETAILS } from './service-schemas.js';

const NEXT = { type: ['string', 'null'], description: '`cursor` of the next page; null at the end' };

const VERSION = {
  definitionHash: TEXT,
  registeredAt: INSTANT,
  current: { type: 'boolean', description: 'Whether runs start from it now' },
};
const VersionSchema = namedSchema('WorkflowVersion', objectOf(VERSION));

export const WorkflowVersionListSchema = namedSchema(
  'WorkflowVersionList',
  objectOf({ items: { type: 'array', items: refTo(VersionSchema) }, next: NEXT }),
  [VersionSchema],
);

const BINDING = objectOf({
  uses: TEXT,
  origin: { ...TEXT, description: 'Of its endpoint' },
  headers: { ...TEXTS, description: 'Their names' },
});

export const WorkflowVersionDetailsSchema = namedSchema(
  'WorkflowVersionDetails',
  objectOf({
    ...VERSION,
    workflowId: TEXT,
    description: { type: ['string', 'null'] },
    labels: { type: 'object', additionalProperties: TEXT },
    units: TEXTS,
    flowType: TEXT,
    yaml: { ...TEXT, description: 'As it was registered' },
    inputSchema: { ...ANY_OBJECT, type: ['object', 'null'], description: '`spec.input`' },
    bindings: { type: 'array', items: BINDING },
  }),
);

export const WorkflowDiffSchema = namedSchema(
  'WorkflowDiff',
  objectOf({
    text: { ...TEXT, description: 'Unified; a sentence where the two are too different to be shown' },
    units: objectOf({ added: TEXTS, removed: TEXTS, changed: TEXTS }),
  }),
);

const WHOLE = { type: ['integer', 'null'], minimum: 1 };

export const ValidationSchema = namedSchema(
  'Validation',
  objectOf(
    {
      ok: { type: 'boolean', description: 'Whether it would be registered' },
      workflowId: TEXT,
      details: {
        type: 'array',
        description: 'What is wrong, at most 100; none if `ok`',
        items: objectOf({ path: TEXT, line: WHOLE, column: WHOLE, message: TEXT }),
      },
      warnings: { ...TEXTS, description: 'What is accepted and probably not meant' },
      warningDetails: WARNING_DETAILS,
    },
    ['workflowId'],
  ),
);
