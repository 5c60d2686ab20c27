import { rpcError, RpcFault } from '../plain/json-rpc.js';

/** The response to a faulty request that no server of the SDK handles. */
export function faultResponse(status: number, code: number, message: string): Response {
  return Response.json(rpcError(null, new RpcFault(code, message)), { status });
}
