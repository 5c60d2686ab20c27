import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { keepFromExpressParsers, type ExpressApplication } from './express-bodies.js';
import { keepFromFastifyParsers, type FastifyApplication } from './fastify-bodies.js';

/** Applications whose parsers are already kept from our bodies: once is enough for all instances. */
const prepared = new WeakSet<object>();

/**
 * Keeps the parsers of the host from the bodies of our routes, so that they arrive here as they were sent, whatever
 * their content type, and up to our own limit. It is in time because Nest makes its providers before `app.init()`
 * sets up its parsers. Other routes are not affected.
 */
@Injectable()
export class HostBodies {
  constructor(host: HttpAdapterHost) {
    // In a testing module the adapter comes after the providers.
    host.init$.subscribe(() => prepare(host.httpAdapter));
  }
}

/** The adapter is absent in an application without HTTP. */
function prepare(adapter: HttpAdapterHost['httpAdapter'] | null | undefined): void {
  if (adapter === null || adapter === undefined || 'hasNoParsers' in adapter) return;
  const application = adapter.getInstance<object>();
  if (prepared.has(application)) return;
  prepared.add(application);
  if (adapter.getType() === 'express') keepFromExpressParsers(application as ExpressApplication);
  if (adapter.getType() === 'fastify') keepFromFastifyParsers(application as FastifyApplication);
}
