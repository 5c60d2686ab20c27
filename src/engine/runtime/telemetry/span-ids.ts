import { randomBytes } from 'node:crypto';

/** The ids that a span is to have. */
export interface SpanNames {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

/**
 * An id generator for an OpenTelemetry SDK: spans of runs get the ids that follow from their run, so that an attempt can
 * name the span of its run as its parent weeks before that is made, and in another process; all others random ones. Give
 * the same object to the SDK (`idGenerator`) and to the engine (`tracing.spanIds`).
 */
export class SpanIds {
  private trace: string | null = null;
  private span: string | null = null;

  readonly generateTraceId = (): string => {
    const { trace } = this;
    this.trace = null;
    return trace ?? randomBytes(16).toString('hex');
  };

  readonly generateSpanId = (): string => {
    const { span } = this;
    this.span = null;
    return span ?? randomBytes(8).toString('hex');
  };

  /** The span that `start` begins, synchronously, has these ids; a second one does not. */
  named<Span>({ traceId, spanId }: SpanNames, start: () => Span): Span {
    this.trace = traceId;
    this.span = spanId;
    try {
      return start();
    } finally {
      this.trace = this.span = null;
    }
  }
}
