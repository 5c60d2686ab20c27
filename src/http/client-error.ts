import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

const ANSWERS: Readonly<Record<string, readonly [status: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The address and the headers are too large: send at most 16 KiB of them',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time: send it again'],
};
const MALFORMED = [
  '400 Bad Request',
  'The request is not valid HTTP: check its first line and its headers',
] as const;
const NO_TUNNEL = [
  '405 Method Not Allowed',
  'CONNECT is not possible here: this service is no proxy',
] as const;

/** What never reaches a route, because Node's parser refuses it or leaves it to us, has the form of all errors. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else end(socket, ANSWERS[error.code ?? ''] ?? MALFORMED);
  });
  server.on('connect', (_request, socket: Duplex) => end(socket, NO_TUNNEL));
}

function end(socket: Duplex, [status, error]: readonly [status: string, error: string]): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
