import type {
  EndpointCall,
  EndpointCalls,
  TransportEndpoint,
  TransportRequest,
  TransportResponse,
  UnitTransport,
} from '../../../ports/unit-transport.js';
import { targetOf, type Target } from '../target.js';
import { whenAborted } from './attempt-end.js';
import type { CollectedResponse, ResponseTaker } from './response-collector.js';
import { responseText } from './response-text.js';
import { CallAbortedError, failureOf } from './transport-failure.js';
import { UnitPools, type TransportOptions } from './unit-pools.js';

/** HTTP units over undici's pools, without anything between. `close` aborts what is under way. */
export function createTransport(options: TransportOptions = {}): Required<UnitTransport> {
  return new UndiciTransport(new UnitPools(options));
}

class UndiciTransport implements UnitTransport {
  constructor(private readonly pools: UnitPools) {}

  callsTo(endpoint: TransportEndpoint): EndpointCalls {
    const target = targetOf(endpoint.url);
    return target === null ? NO_ADDRESS : new UndiciEndpoint(this.pools, target, endpoint);
  }

  post(request: TransportRequest): Promise<TransportResponse> {
    const { signal, holder, body } = request;
    const attempt = holder?.hold === undefined ? { signal } : { signal, hold: holder.hold.bind(holder) };
    return this.callsTo(request).post({ headers: [], body, attempt });
  }

  close(): Promise<void> {
    return this.pools.close();
  }
}

const NO_ADDRESS: EndpointCalls = {
  post: () => Promise.resolve({ kind: 'network-error', reason: 'address is not an http or https URL' }),
};

/** Sent unless the endpoint's headers say otherwise; axios sends the same. */
const ACCEPT = 'application/json, text/plain, */*';

class UndiciEndpoint implements EndpointCalls {
  private readonly headers: readonly string[];
  private readonly maxBytes: number;
  private readonly namespace: string | undefined;

  constructor(
    private readonly pools: UnitPools,
    private readonly target: Target,
    { headers, maxResponseBytes, namespace }: TransportEndpoint,
  ) {
    this.namespace = namespace;
    this.headers = headerList(headers, target.authorization);
    this.maxBytes = maxResponseBytes;
  }

  post({ headers, body, attempt }: EndpointCall): Promise<TransportResponse> {
    const call = new UndiciCall(attempt, this.maxBytes);
    const collector = this.pools.collector(this.maxBytes, call);
    call.stopsListening = whenAborted(attempt, () => collector.abort(new CallAbortedError()));
    if (!collector.isAborted) {
      const { origin, path } = this.target;
      const post = { origin, path, method: 'POST' as const, headers: this.headers.concat(headers), body };
      this.pools.send(post, collector, this.namespace);
    }
    return call.response;
  }
}

/** One call under way: its response as the port has it. */
class UndiciCall implements ResponseTaker {
  readonly response: Promise<TransportResponse>;
  stopsListening: (() => void) | null = null;
  private resolve!: (response: TransportResponse) => void;

  constructor(
    readonly holder: ResponseTaker['holder'],
    private readonly maxBytes: number,
  ) {
    this.response = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  received({ status, headers, body }: CollectedResponse): void {
    this.stopsListening?.();
    const text = responseText(body, headers, this.maxBytes);
    if (typeof text === 'string') return this.resolve({ kind: 'response', status, headers, body: text });
    text.then(
      (plain) => this.resolve({ kind: 'response', status, headers, body: plain }),
      (error: unknown) => this.resolve(failureOf(error)),
    );
  }

  failed(error: Error): void {
    this.stopsListening?.();
    this.resolve(failureOf(error));
  }
}

/** Name, value, name, value: what every call to the endpoint sends. */
function headerList(
  given: Readonly<Record<string, string>>,
  authorization: string | null,
): readonly string[] {
  const sent = new Map<string, readonly [name: string, value: string]>();
  const add = (name: string, value: string): unknown => sent.set(name.toLowerCase(), [name, value]);
  if (authorization !== null) add('authorization', authorization);
  add('accept', ACCEPT);
  for (const [name, value] of Object.entries(given)) add(name, value);
  add('accept-encoding', 'identity');
  return [...sent.values()].flat();
}
