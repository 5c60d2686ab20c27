import type { RequestListener, Server, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerEarly, isStillSending } from './early-answer.js';
import { createEdgeServer, type EdgeServerOptions } from './edge-server.js';

const SWEEP_MS = 25;
/** What connections get to take their last answer once the engine has stopped. */
const LINGER_MS = 500;

/**
 * Express without what a JSON service does not need: no ETag, no negotiation, one write per answer. At its end
 * it closes connections as they fall idle, instead of waiting for their clients.
 */
export class LeanExpressAdapter extends ExpressAdapter {
  private isClosing = false;

  constructor(private readonly edge: EdgeServerOptions) {
    super();
    this.disable('etag');
    this.disable('x-powered-by');
  }

  /** Nest's options of a server are for hosts: certificates are a proxy's here. */
  override initHttpServer(): void {
    this.setHttpServer(createEdgeServer(this.getInstance<RequestListener>(), this.edge));
  }

  override reply(response: ServerResponse, body: unknown, statusCode?: number): unknown {
    if (this.isClosing) response.setHeader('Connection', 'close');
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    // A text, not a Buffer: Node then writes head and body in one piece.
    const text = JSON.stringify(body);
    if (statusCode !== undefined) response.statusCode = statusCode;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    if (isStillSending(response.req)) return answerEarly(response.req, response, text);
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

  private server(): Server {
    return this.getHttpServer() as Server;
  }
}
