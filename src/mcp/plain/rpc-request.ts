import type { JsonSource } from '../../http/bodies/json-body-reader.js';
import { INVALID_REQUEST, isRecord, RpcFault, type RequestId } from '../json-rpc.js';
import { exactId, unparsedId } from './request-id.js';

export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The params; empty unless they are an object. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The parsed body; a fault comes with the id to respond under. */
export type ReadRequest =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly id: RequestId; readonly fault: RpcFault };

export function readRpcRequest(body: JsonSource): ReadRequest {
  const { value, text, exceeded } = body;
  if (exceeded !== null) return refused(text === null ? null : unparsedId(text), exceeded);
  if (!isRecord(value))
    return refused(null, 'The body must be one request object; batches are not supported');
  const { jsonrpc = null, id = null, method, params } = value;
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') {
    return refused(null, 'id must be a string, a number or null');
  }
  const echoed = exactId(id, text);
  if (jsonrpc !== null && jsonrpc !== '2.0') return refused(echoed, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string') return refused(echoed, 'method (string) is required');
  return { ok: true, request: { id: echoed, method, params: isRecord(params) ? params : {} } };
}

function refused(id: RequestId, message: string): ReadRequest {
  return { ok: false, id, fault: new RpcFault(INVALID_REQUEST, message) };
}
