import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { keepFromExpressParsers, type ExpressApplication } from './express-bodies.js';
import { keepFromFastifyParsers, type FastifyApplication } from './fastify-bodies.js';

/** Applications that keep our bodies from their parsers already: one is enough for all instances. */
const prepared = new WeakSet<object>();

/**
 * Keeps the bodies of our routes from the parsers of the host, so that they arrive here as they were sent: whatever their
 * content type, and as long as our own limit lets them be. It is in time because Nest makes its providers before
 * `app.init()` sets up its parsers. What is not one of our routes is untouched.
 */
@Injectable()
export class HostBodies {
  constructor(host: HttpAdapterHost) {
    // With a testing module the adapter comes after the providers.
    host.init$.subscribe(() => prepare(host.httpAdapter));
  }
}

/** None in an application without HTTP. */
function prepare(adapter: HttpAdapterHost['httpAdapter'] | null | undefined): void {
  if (adapter === null || adapter === undefined || 'hasNoParsers' in adapter) return;
  const application = adapter.getInstance<object>();
  if (prepared.has(application)) return;
  prepared.add(application);
  if (adapter.getType() === 'express') keepFromExpressParsers(application as ExpressApplication);
  if (adapter.getType() === 'fastify') keepFromFastifyParsers(application as FastifyApplication);
}
