/** The codes of JSON-RPC 2.0 that the gateway uses. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;
/** A code from the range that JSON-RPC leaves to servers: the service cannot take the call now. */
export const UNAVAILABLE = -32000;

/** A string, a number, null, or the raw text of a number that JavaScript cannot represent. */
export type RequestId = unknown;

export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A fault that the caller sees in the `error` field. */
export class RpcFault {
  constructor(
    readonly code: number,
    readonly message: string,
  ) {}
}

export function rpcError(id: RequestId, { code, message }: RpcFault): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
