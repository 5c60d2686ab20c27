import type { Clock } from '../../ports/clock.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import type {
  EndpointCall,
  EndpointCalls,
  TransportEndpoint,
  TransportResponse,
  UnitTransport,
} from '../../ports/unit-transport.js';
import { excerpt, failedOutcome } from '../outcome.js';
import { maskOutcome } from '../masking/mask-outcome.js';
import type { SecretFinder } from '../masking/secret-finder.js';
import { finderOf } from '../masking/secret-forms.js';
import { secretsOfResponse } from './response-secrets.js';
import { interpretResponse, type ResponseContext } from './interpret-response.js';
import { createSecretMask } from './secret-mask.js';
import { TimeLimit } from './time-limit.js';
import { callHeaders, constantHeaders, type CallNames } from './unit-headers.js';

/** 10 MiB. */
const DEFAULT_MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

export interface HttpUnitOptions {
  /** Whose connections it uses. Default: those of `default`. */
  readonly namespace?: string;
  /** An absolute http or https URL; `user:password@` is sent as basic authentication. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bounds one attempt, in ms, next to the deadline of the request. Null: only the deadline does. */
  readonly timeoutMs: number | null;
  readonly transport: UnitTransport;
  readonly clock: Clock;
  /** Further values that no outcome may hold. Default: none. */
  readonly masked?: readonly string[];
  /** Default 10 MiB. */
  readonly maxResponseBytes?: number;
}

/** Calls a remote unit (wire contracts, "Remote unit"). No outcome holds a credential or a header's value. */
export class HttpUnitExecutor implements UnitExecutor {
  private readonly calls: EndpointCalls;
  private readonly context: ResponseContext;
  /** Created with the first response: many executors make one call only. */
  private finder: SecretFinder | null = null;
  private mask: ((text: string) => string) | null = null;
  private readonly quote = (text: string): string => {
    const { endpoint, headers, masked } = this.options;
    this.mask ??= createSecretMask(endpoint, headers, masked);
    return excerpt(text, this.mask);
  };

  constructor(private readonly options: HttpUnitOptions) {
    const { endpoint, headers, namespace, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options;
    this.context = { quote: this.quote, clock: options.clock, maxResponseBytes };
    this.calls = endpointCalls(options.transport, {
      url: endpoint,
      headers: constantHeaders(headers),
      maxResponseBytes,
      namespace,
    });
  }

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> {
    try {
      const { timeoutMs } = this.options;
      if (timeoutMs !== null) return await this.callWithin(timeoutMs, request, options);
      const response = await this.post(request, options, options);
      const outcome = this.interpret(response);
      return outcome instanceof Promise ? await outcome : outcome;
    } catch {
      // For example, the body is too large for one string. The cause's text might repeat what must not be seen.
      return failedOutcome('request cannot be sent', { retryable: false, outcome: 'refused' });
    }
  }

  private async callWithin(
    timeoutMs: number,
    request: UnitRequest,
    options: ExecuteOptions,
  ): Promise<UnitOutcome> {
    const limit = new TimeLimit(options, this.options.clock, timeoutMs);
    try {
      const response = await this.post(request, options, limit);
      if (response.kind !== 'network-error' || !limit.isOverrun) return this.interpret(response);
      const error = `timed out after ${timeoutMs} ms`;
      return failedOutcome(error, { retryable: true, outcome: 'unknown', timedOutMs: timeoutMs });
    } finally {
      limit.close();
    }
  }

  private post(
    request: UnitRequest,
    names: CallNames,
    attempt: EndpointCall['attempt'],
  ): Promise<TransportResponse> {
    const headers = callHeaders(request.context, names);
    return this.calls.post({ headers, body: this.bodyOf(request), attempt });
  }

  /** The fields by name: nothing that a caller adds for itself leaves the process. */
  private bodyOf({ input, state, context }: UnitRequest): string {
    const { workflowId, runId, unitId, executionId, attempt, traceId, config, contextPolicy } = context;
    const { timeoutMs, clock } = this.options;
    const deadlineAt =
      timeoutMs === null ? context.deadlineAt : Math.min(context.deadlineAt, clock.wallTime() + timeoutMs);
    return JSON.stringify({
      input,
      state,
      context: {
        workflowId,
        runId,
        unitId,
        executionId,
        attempt,
        traceId,
        deadlineAt,
        config,
        contextPolicy,
      },
    });
  }

  private interpret(response: TransportResponse): UnitOutcome | Promise<UnitOutcome> {
    const outcome = interpretResponse(response, this.context);
    return outcome instanceof Promise
      ? outcome.then((read) => this.withoutSecrets(read, response))
      : this.withoutSecrets(outcome, response);
  }

  private withoutSecrets(outcome: UnitOutcome, response: TransportResponse): UnitOutcome {
    if (outcome.kind === 'failed' || response.kind !== 'response') return outcome;
    const { endpoint, headers, masked = [] } = this.options;
    this.finder ??= finderOf([...secretsOfResponse(endpoint, headers), ...masked]);
    return mayHold(response.body, this.finder) ? maskOutcome(outcome, this.finder) : outcome;
  }
}

/**
 * Without escapes every string of a JSON text appears in it literally: one search of the text saves a walk through the
 * value.
 */
function mayHold(body: string, finder: SecretFinder): boolean {
  return !finder.isEmpty && (body.includes('\\') || finder.mask(body) !== body);
}

/** A transport's calls to one endpoint, also where the transport knows single calls only (a host's own). */
function endpointCalls(transport: UnitTransport, endpoint: TransportEndpoint): EndpointCalls {
  return transport.callsTo?.(endpoint) ?? callByCall(transport, endpoint);
}

function callByCall(transport: UnitTransport, endpoint: TransportEndpoint): EndpointCalls {
  const { url, headers: constant, maxResponseBytes } = endpoint;
  return {
    post: ({ headers: own, body, attempt }) => {
      const headers = { ...constant };
      for (const [index, value] of own.entries()) if (index % 2 === 1) headers[own[index - 1] ?? ''] = value;
      return transport.post({
        url,
        headers,
        body,
        maxResponseBytes,
        signal: attempt.signal,
        holder: attempt,
      });
    },
  };
}
