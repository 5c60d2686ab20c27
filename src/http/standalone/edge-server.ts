import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Logger } from '@nestjs/common';
import { ExpectationError } from '../../errors/edge-errors.js';
import type { FlowgateError } from '../../errors/flowgate-error.js';
import { respondToClientErrors } from './client-error.js';
import { respondEarly, isStillSending } from './early-response.js';
import { errorResponseOf } from '../refusals/error-response.js';
import { refusalOf, type RequestCheck } from '../web-pages/request-check.js';

/** Longer than the idle timeouts of common load balancers and of our own clients, so that they close first. */
const KEEP_ALIVE_MS = 65_000;
/**
 * The time for the head of a request, and for all of it; after that the response is 408. These are Node's defaults,
 * stated here because we rely on them.
 */
const HEAD_WITHIN_MS = 60_000;
const REQUEST_WITHIN_MS = 300_000;
/**
 * The limit for the first line and all headers. There is no limit on the number of headers, because Node would
 * silently drop those beyond it.
 */
const MAX_HEAD_BYTES = 16 * 1024;
const DROPS_ARE_SAID_EVERY_MS = 60_000;

export interface EdgeServerOptions {
  /** Checks in this order, before the routing. */
  readonly checks: (server: Server) => readonly RequestCheck[];
  /** Further connections are closed without a response. */
  readonly maxConnections: number;
  /** Whether a client that sends `Expect` is told to send its body; null: every one is that no check refuses. */
  readonly mayContinue?: () => ((request: IncomingMessage) => Promise<boolean>) | null;
}

/**
 * The server of the standalone service. The path of a request begins here: docs/paths.md#request.
 *
 * 1. What is refused here is refused before the routing and before any of its body is read.
 * 2. Every refusal has our form, those of Node's parser included; of connections beyond `maxConnections`, which are
 *    closed without a response, one line a minute says how many.
 * 3. A client that sends `Expect` gets a refusal before it sends its body, also where it is asked who is asking.
 */
export function createEdgeServer(app: RequestListener, options: EdgeServerOptions): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEAD_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    // One of our checks refuses a request without a host, with a body.
    requireHostHeader: false,
  });
  server.maxHeadersCount = 0;
  server.maxConnections = options.maxConnections;
  const checks = options.checks(server);
  const receive = (request: IncomingMessage, response: ServerResponse, onServed?: () => void): void => {
    const refusal = refusalOf(request, checks);
    if (refusal !== null) {
      refuse(request, response, refusal);
      return;
    }
    onServed?.();
    app(request, response);
  };
  server.on('request', (request, response) => receive(request, response));
  // A client that sends `Expect` gets a refusal before it sends the body.
  server.on('checkContinue', (request, response) => {
    const goOn = (): void => response.writeContinue();
    const mayContinue = options.mayContinue?.() ?? null;
    if (mayContinue === null) receive(request, response, goOn);
    // Whom nobody knows is refused by the route, or needs no body where it is open.
    else void mayContinue(request).then((may) => receive(request, response, may ? goOn : undefined));
  });
  server.on('checkExpectation', (request, response) => refuse(request, response, new ExpectationError()));
  respondToClientErrors(server);
  sayDrops(server);
  return server;
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: FlowgateError): void {
  const { status, body } = errorResponseOf(refusal);
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (isStillSending(request)) respondEarly(request, response, text);
  else response.end(text);
}

/** Thousands of connections may be dropped: one line a minute says how many. */
function sayDrops(server: Server): void {
  const logger = new Logger('Flowgate');
  let dropped = 0;
  let saidAt = -Infinity;
  server.on('drop', () => {
    dropped += 1;
    if (performance.now() - saidAt < DROPS_ARE_SAID_EVERY_MS) return;
    logger.warn(
      `${dropped} connection(s) closed unanswered: ${server.maxConnections} are open; raise FLOWGATE_MAX_CONNECTIONS, ` +
        'or find out who holds them',
    );
    [dropped, saidAt] = [0, performance.now()];
  });
}
