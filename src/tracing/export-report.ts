import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export interface SaysExport {
  log(message: string): void;
  warn(message: string): void;
}

type Reply = Parameters<SpanExporter['export']>[1];

/** The value of the SDK's `ExportResultCode`. */
const SUCCESS = 0;
const MAX_REASON_CHARS = 200;

/** Logs once that spans cannot be sent, and once that they can be sent again, because the SDK itself logs nothing. */
export class ExportReport implements SpanExporter {
  private hasFailed = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: SaysExport,
  ) {}

  export(spans: ReadableSpan[], reply: Reply): void {
    this.exporter.export(spans, (result) => {
      this.report(result.code === SUCCESS, result.error);
      reply(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private report(isSent: boolean, error: Error | undefined): void {
    if (isSent !== this.hasFailed) return;
    this.hasFailed = !isSent;
    if (isSent) {
      this.logger.log('Spans reach OTEL_EXPORTER_OTLP_ENDPOINT again');
      return;
    }
    const reason = (error?.message ?? 'no reason given').slice(0, MAX_REASON_CHARS);
    this.logger.warn(
      `Spans cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT, and are lost until they can: ${reason}`,
    );
  }
}
