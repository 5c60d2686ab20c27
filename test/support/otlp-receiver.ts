import { startUnitServer } from './unit-server.js';

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent or empty: it is a root. */
  readonly parentSpanId?: string;
  readonly name: string;
  /** As OTLP counts them: 1 internal, 3 client. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  /** 2: an error. */
  readonly status: { readonly code?: number; readonly message?: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & { readonly attributes: Attributes })[];
    }[];
  }[];
}

/** A collector: takes spans by OTLP over HTTP, in JSON. */
export async function startOtlpReceiver() {
  const server = await startUnitServer({ body: {} });
  return {
    url: server.url,
    server,
    /** All that came, as text. */
    text: (): string => server.requests.map(({ body }) => body).join('\n'),
    spans: (): readonly ReceivedSpan[] =>
      server.requests.filter(({ url }) => url === '/v1/traces').flatMap(({ body }) => spansIn(body)),
    close: () => server.close(),
  };
}

function spansIn(body: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Sent;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        links: span.links ?? [],
        attributes: asObject(span.attributes),
        resource: asObject(resource.attributes),
      })),
    ),
  );
}

function asObject(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0] as string | number]),
  );
}
