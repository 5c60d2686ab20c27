import { ANY_OBJECT, namedSchema, NUMBER, objectOf, TEXT } from '../schema-class.js';

const ID = { type: ['string', 'number', 'null'] };

/** Refusals use it, too: the status is 200, and `error` says why. */
export const RpcRequestSchema = namedSchema(
  'RpcRequest',
  objectOf(
    {
      jsonrpc: { enum: ['2.0', null] },
      id: ID,
      method: { ...TEXT, description: '`initialize`, `tools/list` or `tools/call`' },
      params: { description: 'Of `tools/call`: `name`, and `arguments`' },
    },
    ['jsonrpc', 'id', 'params'],
  ),
);

export const RpcResponseSchema = namedSchema(
  'RpcResponse',
  objectOf(
    {
      jsonrpc: { const: '2.0' },
      id: ID,
      result: ANY_OBJECT,
      error: objectOf({ code: { ...NUMBER, description: 'Of JSON-RPC' }, message: TEXT }),
    },
    ['result', 'error'],
  ),
);
