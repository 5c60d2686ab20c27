import type {
  EndpointCall,
  EndpointCalls,
  TransportEndpoint,
  TransportRequest,
  TransportResponse,
  UnitTransport,
} from '../../../ports/unit-transport.js';

type Loaded = Required<UnitTransport>;

/**
 * A transport that is loaded when the first unit is to be called over HTTP: an engine whose units all run in its own
 * process never pays for it.
 */
export class LazyTransport implements UnitTransport {
  /** Null until it is loaded. */
  loaded: Loaded | null = null;
  private loading: Promise<Loaded> | null = null;
  private isClosed = false;

  constructor(private readonly make: () => Promise<Loaded>) {}

  /** Begins to load: a call will follow soon. */
  callsTo(endpoint: TransportEndpoint): EndpointCalls {
    if (this.loaded !== null) return this.loaded.callsTo(endpoint);
    // The calls report why it cannot be loaded.
    this.load().catch(() => undefined);
    return new LazyEndpoint(this, endpoint);
  }

  async post(request: TransportRequest): Promise<TransportResponse> {
    return (this.loaded ?? (await this.load())).post(request);
  }

  /** A transport that was never loaded has nothing to close; one that is still loading is closed once it is there. */
  async close(): Promise<void> {
    this.isClosed = true;
    await (await this.loading)?.close();
  }

  load(): Promise<Loaded> {
    this.loading ??= this.make().then(async (made) => {
      if (this.isClosed) await made.close();
      this.loaded = made;
      return made;
    });
    return this.loading;
  }
}

class LazyEndpoint implements EndpointCalls {
  private calls: EndpointCalls | null = null;

  constructor(
    private readonly transport: LazyTransport,
    private readonly endpoint: TransportEndpoint,
  ) {}

  post(call: EndpointCall): Promise<TransportResponse> {
    if (this.calls !== null) return this.calls.post(call);
    const { loaded } = this.transport;
    return loaded === null
      ? this.transport.load().then((made) => this.over(made).post(call))
      : this.over(loaded).post(call);
  }

  private over(transport: Loaded): EndpointCalls {
    return (this.calls ??= transport.callsTo(this.endpoint));
  }
}
