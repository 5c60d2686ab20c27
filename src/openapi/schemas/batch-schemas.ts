import { ERROR_FIELDS, OPTIONAL_ERROR_FIELDS } from './error-schema.js';
import { RunRecordSchema } from './run-schemas.js';
import { namedSchema, objectOf, refTo } from '../schema-class.js';

const RefusedStartSchema = namedSchema(
  'RefusedStart',
  objectOf(
    {
      ...ERROR_FIELDS,
      status: { type: 'integer', description: 'Of the response that this start alone would have got' },
    },
    OPTIONAL_ERROR_FIELDS,
  ),
);

/** The response to a batch of starts. */
export const StartedBatchSchema = namedSchema(
  'StartedBatch',
  objectOf({
    runs: {
      type: 'array',
      items: { anyOf: [refTo(RunRecordSchema), refTo(RefusedStartSchema)] },
      description:
        'In the order of the request: the record of each run, or its refusal. The `status` of a refusal is a number, that of a record a text',
    },
  }),
  [RunRecordSchema, RefusedStartSchema],
);
