import { FlowgateError } from './flowgate-error.js';

/** A request came by a name that is not this service's, as from a page whose host name was pointed at this machine. */
export class ForeignHostError extends FlowgateError {
  readonly code = 'foreign-host';

  /** `host` is null if the request names none, or nothing that could be a host. */
  constructor(host: string | null) {
    super(
      host === null
        ? 'The request names no host: send a Host header, such as localhost'
        : `This service is not known as ${host}: call it as localhost or 127.0.0.1, or put ${host} into ` +
            'FLOWGATE_ALLOWED_HOSTS (in a host application: webPages.allowedHosts)',
    );
  }
}

/** A web page of another origin requested what only pages of this service may. */
export class CrossOriginError extends FlowgateError {
  readonly code = 'foreign-page';

  /** `origin` is null if the browser does not state it, or if the page has none. */
  constructor(origin: string | null) {
    super(
      `A web page of ${origin ?? 'another origin'} may change nothing here and open no stream: if it is yours, put ` +
        `${origin ?? 'its origin'} into FLOWGATE_ALLOWED_ORIGINS (in a host application: webPages.allowedOrigins)`,
    );
  }
}

/** Too much is being uploaded at once, and this upload went longest without progress. */
export class UploadsFullError extends FlowgateError {
  readonly code = 'uploads-full';
  override readonly retryable = true;

  constructor() {
    super(
      'Too much is being sent to this service at once, and this body came slowest: send it again, ' +
        'or raise FLOWGATE_MAX_UPLOAD_BYTES',
    );
  }
}

/** The maximum number of streams is open. */
export class StreamsFullError extends FlowgateError {
  readonly code = 'streams-full';
  override readonly retryable = true;

  constructor() {
    super(
      'Too many event streams are open: close some, try again later, or raise FLOWGATE_SSE_MAX_STREAMS ' +
        '(in a host application: sse.maxStreams)',
    );
  }
}

/** The request's `Expect` header has an expectation that the service does not support. */
export class ExpectationError extends FlowgateError {
  readonly code = 'expectation';

  constructor() {
    super('Expect may be 100-continue and nothing else: send the request without it');
  }
}
