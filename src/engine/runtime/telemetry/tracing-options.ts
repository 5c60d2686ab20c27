import type { TracerProvider } from '@opentelemetry/api';
import type { SpanIds } from './span-ids.js';

/** How runs are traced. */
export interface TracingOptions {
  /**
   * Makes the spans. Default: what this process has registered with `@opentelemetry/api` when the engine is opened; where
   * that is nothing, nothing is traced.
   */
  readonly provider?: TracerProvider | undefined;
  /**
   * What the provider has as its id generator. Default: it has one of its own; then the span of a run is not the parent of
   * its attempts but next to them, under a parent that nobody sends.
   */
  readonly spanIds?: SpanIds | undefined;
}
