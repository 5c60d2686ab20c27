import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Logger, StreamableFile } from '@nestjs/common';
import { MethodNotAllowedError, NotFoundError } from '../../errors/request-errors.js';
import { respondEarly, isStillSending } from './early-response.js';
import { createEdgeServer, type EdgeServerOptions } from './edge-server.js';
import { errorResponseOf } from '../refusals/error-response.js';
import { JsonBytes } from '../long-responses/json-bytes.js';
import { RoutedExpressAdapter, type RoutedRequest, type RouteHandler } from './routed-express-adapter.js';

/** Routes that are not there where nobody is asked who they are. */
const OF_KEYS = /^\/(?:keys|owners|audit)(?:\/|$)/i;
/** Of these it is not known here whether they are there; clients know where to look. */
const OF_LOGIN = /^\/\.well-known(?:\/|$)/i;
const A_RUN = /^\/workflows\/[^/]+\/runs\/[^/]+\/?$/;
const TO_DELETE_A_RUN =
  'POST …/cancel ends a run; it is deleted by itself when it has been over for as long as FLOWGATE_RETENTION_DAYS says.';

const SWEEP_MS = 25;
/** The time for connections to take their last response once the engine has stopped. */
const LINGER_MS = 500;

/**
 * Express without what a JSON service does not need: no ETag, no negotiation, one write per response, and no walk
 * through the router for a path that is written exactly as its route (decision 0047). At its end it closes
 * connections as they become idle, instead of waiting for their clients.
 */
export class LeanExpressAdapter extends RoutedExpressAdapter {
  /** There is no parser to keep bodies from: see `HostBodies`. */
  readonly hasNoParsers = true;
  /** Whether it is known who sends a request; null: nobody is asked. Set before the server listens. */
  knows: ((request: IncomingMessage) => Promise<boolean>) | null = null;
  private readonly edgeLogger = new Logger('Flowgate');
  private isClosing = false;

  constructor(private readonly edge: Omit<EdgeServerOptions, 'mayContinue'>) {
    super();
    this.disable('etag');
    this.disable('x-powered-by');
  }

  /** Nest's server options are for hosts; here a proxy has the certificates. */
  override initHttpServer(): void {
    const app = this.getInstance<RequestListener>();
    const serve = (request: RoutedRequest, response: ServerResponse): void => {
      const handler = this.handlerOf(request);
      if (handler === null) app(request, response);
      else void this.call(handler, request, response);
    };
    this.setHttpServer(createEdgeServer(serve, { ...this.edge, mayContinue: () => this.knows }));
  }

  /** Why nothing serves a request, whose `path` has no query: nothing is there, or only the method is wrong. */
  unrouted({ method, path }: { readonly method: string; readonly path: string }): Error {
    const isThere = (pattern: string): boolean =>
      (this.knows !== null || !OF_KEYS.test(pattern)) && !OF_LOGIN.test(pattern);
    const methods = isThere(path) ? this.methodsAt(path) : [];
    const allowed = methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    const near = this.nearRoutes(method, path, isThere);
    const meant = near.length === 0 ? undefined : `Did you mean ${near.join(', or ')}?`;
    const detail = method === 'DELETE' && A_RUN.test(path) ? TO_DELETE_A_RUN : meant;
    if (allowed.length > 0) return new MethodNotAllowedError(method, allowed, detail);
    return new NotFoundError(`Nothing is at ${method} ${path}`, detail === undefined ? {} : { detail });
  }

  /** Also works for a response that has not been through Express and lacks its methods. */
  override status(response: ServerResponse, statusCode: number): unknown {
    response.statusCode = statusCode;
    return response;
  }

  override setHeader(response: ServerResponse, name: string, value: string): unknown {
    return response.setHeader(name, value);
  }

  override reply(response: ServerResponse, body: unknown, statusCode?: number): unknown {
    if (this.isClosing) response.setHeader('Connection', 'close');
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (typeof body !== 'object' || body === null) return response.end(String(body ?? ''));
    if (body instanceof StreamableFile && !(body instanceof JsonBytes)) return super.reply(response, body);
    // A string where possible, not a Buffer: Node then writes head and body together.
    const text = body instanceof JsonBytes ? body.bytes : JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    if (isStillSending(response.req)) return respondEarly(response.req, response, text);
    return response.end(text);
  }

  override beforeClose(): void {
    super.beforeClose();
    this.isClosing = true;
  }

  override async close(): Promise<void> {
    const server = this.server();
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const end = setTimeout(() => server.closeAllConnections(), LINGER_MS);
    try {
      await super.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(end);
    }
  }

  /** Nest handles what a controller throws; this handles what is thrown while Nest does so. */
  private async call(handler: RouteHandler, request: RoutedRequest, response: ServerResponse): Promise<void> {
    try {
      await handler(request, response, () => response.destroy());
    } catch (error) {
      this.edgeLogger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (response.headersSent) response.destroy();
      else this.reply(response, errorResponseOf(error).body, 500);
    }
  }

  private server(): Server {
    return this.getHttpServer() as Server;
  }
}
