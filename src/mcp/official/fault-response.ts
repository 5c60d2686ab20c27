import { rpcError, RpcFault } from '../plain/json-rpc.js';

/** What is wrong with a request that no server of the SDK is asked about. */
export function faultResponse(status: number, code: number, message: string): Response {
  return Response.json(rpcError(null, new RpcFault(code, message)), { status });
}
