import { ANY_OBJECT, namedSchema, objectOf, TEXT } from '../schema-class.js';

export const ERROR_FIELDS = {
  error: {
    type: 'string',
    description: 'Names everything that is wrong, one fault a line, up to 20, and ends with what to do',
  },
  code: { type: 'string', description: 'Stable: what programs decide by' },
  type: {
    type: 'string',
    description: 'The class, where the status alone does not tell: at registration, and with 409',
  },
  details: {
    type: 'array',
    items: ANY_OBJECT,
    description: 'What `error` says as objects, up to 100: what they hold stands with each route',
  },
  detail: { ...TEXT, description: 'A second sentence, where the first is fixed by the interface' },
};
export const OPTIONAL_ERROR_FIELDS = ['type', 'details', 'detail'];

/** The body of every error response. */
export const ErrorSchema = namedSchema('Error', objectOf(ERROR_FIELDS, OPTIONAL_ERROR_FIELDS));
