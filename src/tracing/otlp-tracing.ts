import type { SpanExporter, Sampler } from '@opentelemetry/sdk-trace';
import type { FlowgateConfig } from '../config/service/settings.js';
import { VERSION } from '../config/version.js';
import { SpanIds, type TracingOptions } from '../engine/index.js';
import { ExportReport, type SaysExport } from './export-report.js';

export type OtlpConfig = Pick<FlowgateConfig, 'tracesSampler' | 'tracesSamplerArg'> & {
  readonly otlpEndpoint: string;
};

export interface OtlpTracing {
  readonly tracing: TracingOptions;
  /** Sends the remaining spans. Never rejects, and takes no longer than `ms`. */
  close(ms: number): Promise<void>;
}

/** The most spans that wait to be sent, of about 2 KB each; more are dropped. */
const MAX_WAITING = 8_192;
const BATCH = 512;
const SEND_EVERY_MS = 2_000;
const SENT_WITHIN_MS = 10_000;

/**
 * An OpenTelemetry SDK that sends spans by OTLP over HTTP. It is not registered globally, because it traces the runs
 * of one engine. The exporter also reads its other variables from the environment (`OTEL_EXPORTER_OTLP_HEADERS`,
 * certificates).
 */
export async function otlpTracing(config: OtlpConfig, logger: SaysExport): Promise<OtlpTracing> {
  const [sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter: SpanExporter = new OTLPTraceExporter({ url: tracesUrl(config.otlpEndpoint) });
  const processor = new sdk.BatchSpanProcessor({
    exporter: new ExportReport(exporter, logger),
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SENT_WITHIN_MS,
  });
  const spanIds = new SpanIds();
  const provider = new sdk.TracerProvider({
    idGenerator: spanIds,
    sampler: samplerOf(config, sdk),
    spanProcessors: [processor],
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'flowgate', 'service.version': VERSION }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
  });
  return {
    tracing: { provider, spanIds },
    close: (ms) => within(ms, provider.shutdown()),
  };
}

function tracesUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}

/** Samples by the id of the trace alone, so that a run is traced as a whole or not at all, in whichever process. */
function samplerOf(
  { tracesSampler, tracesSamplerArg }: Omit<OtlpConfig, 'otlpEndpoint'>,
  sdk: typeof import('@opentelemetry/sdk-trace'),
): Sampler {
  switch (tracesSampler) {
    case 'always_on':
    case 'parentbased_always_on':
      return new sdk.AlwaysOnSampler();
    case 'always_off':
    case 'parentbased_always_off':
      return new sdk.AlwaysOffSampler();
    case 'traceidratio':
    case 'parentbased_traceidratio':
      return new sdk.TraceIdRatioBasedSampler(tracesSamplerArg);
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), tooLate]);
  clearTimeout(timer);
}
