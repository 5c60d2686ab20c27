import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { TAKES_BODY } from './takes-body.js';

/** The parts of Fastify that are used; a host on Express does not have the package. */
interface FastifyRequest {
  readonly raw: { readonly headers: IncomingHttpHeaders };
  /** Headers that are set here override those of `raw`; undefined removes them again. */
  headers: IncomingHttpHeaders | undefined;
}

type PreParsing = (
  request: FastifyRequest,
  reply: unknown,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

interface FastifyRoute {
  readonly config?: Readonly<Record<string, unknown>>;
  preParsing?: PreParsing | PreParsing[];
}

export interface FastifyApplication {
  addHook(name: 'onRoute', hook: (this: FastifyApplication, route: FastifyRoute) => void): unknown;
  hasContentTypeParser(type: string): boolean;
  addContentTypeParser(
    type: string,
    parser: (request: FastifyRequest, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
}

/** Clients cannot send this type, because it is random in every process. */
const OURS = `application/vnd.flowgate.${randomUUID()}`;
/** The key under which Fastify remembers the content type that it has read from the headers. */
const REMEMBERED_TYPE = 'fastify.request.contentType';

/**
 * Fastify refuses a content type without a parser, and a body over its own limit, before any handler runs. So our
 * routes get a parser that reads nothing. It is chosen by a content type that the request has only during the choice.
 */
export function keepFromFastifyParsers(application: FastifyApplication): void {
  const headersOf = new WeakMap<FastifyRequest, IncomingHttpHeaders | undefined>();
  const choose: PreParsing = (request, _reply, payload, done) => {
    // A hook of the host has begun to read the body, so the host's parsers handle it.
    if (payload === request.raw) {
      const { headers } = request;
      headersOf.set(request, headers === request.raw.headers ? undefined : headers);
      request.headers = { ...headers, 'content-type': OURS };
      forgetType(request);
    }
    done(null, payload);
  };
  application.addHook('onRoute', function addOurs(route) {
    if (route.config?.[TAKES_BODY] !== true) return;
    route.preParsing = [...[route.preParsing ?? []].flat(), choose];
    if (this.hasContentTypeParser(OURS)) return;
    this.addContentTypeParser(OURS, (request, _payload, done) => {
      request.headers = headersOf.get(request);
      forgetType(request);
      done(null);
    });
  });
}

function forgetType(request: object): void {
  for (const key of Object.getOwnPropertySymbols(request)) {
    if (key.description === REMEMBERED_TYPE) delete (request as Record<symbol, unknown>)[key];
  }
}
