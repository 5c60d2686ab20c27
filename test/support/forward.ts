import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';

interface Onward {
  readonly port: number;
  /** Default: as they came. */
  readonly path?: string | undefined;
  readonly headers?: IncomingMessage['headers'];
}

/** What a proxy does with a request: sends it on to a port of this machine, and the answer back. */
export function forward(request: IncomingMessage, response: ServerResponse, onward: Onward): void {
  const { method } = request;
  const { port, path = request.url, headers = request.headers } = onward;
  const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(sent);
}
