import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

type Refusal = readonly [status: string, code: string, error: string];

const RESPONSES: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'head-too-large',
    'The address and the headers are too large: send at most 16 KiB of them',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request-timeout',
    'The request did not arrive in time: send it again',
  ],
};
const MALFORMED: Refusal = [
  '400 Bad Request',
  'malformed-http',
  'The request is not valid HTTP: check its first line and its headers',
];
const NO_TUNNEL: Refusal = [
  '405 Method Not Allowed',
  'method-not-allowed',
  'CONNECT is not possible here: this service is no proxy',
];

/**
 * Requests that never reach a route, because Node's parser refuses them or leaves them to us, are answered in the
 * form of all errors.
 */
export function respondToClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else end(socket, RESPONSES[error.code ?? ''] ?? MALFORMED);
  });
  server.on('connect', (_request, socket: Duplex) => end(socket, NO_TUNNEL));
}

function end(socket: Duplex, [status, code, error]: Refusal): void {
  const body = JSON.stringify({ error, code });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
