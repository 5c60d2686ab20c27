import type { EndpointCalls, TransportEndpoint, UnitTransport } from '../../ports/unit-transport.js';

/** A transport's calls to one endpoint, also where the transport knows single calls only (a host's own). */
export function endpointCalls(transport: UnitTransport, endpoint: TransportEndpoint): EndpointCalls {
  return transport.callsTo?.(endpoint) ?? callByCall(transport, endpoint);
}

function callByCall(transport: UnitTransport, endpoint: TransportEndpoint): EndpointCalls {
  const { url, headers: constant, maxResponseBytes } = endpoint;
  return {
    post: ({ headers: own, body, attempt }) => {
      const headers = { ...constant };
      for (const [index, value] of own.entries()) if (index % 2 === 1) headers[own[index - 1] ?? ''] = value;
      return transport.post({
        url,
        headers,
        body,
        maxResponseBytes,
        signal: attempt.signal,
        holder: attempt,
      });
    },
  };
}
