import type { Clock } from '../../ports/clock.js';
import type { ExecuteOptions, UnitAnswer, UnitExecutor, UnitRequest } from '../../ports/unit-executor.js';
import type {
  EndpointCall,
  EndpointCalls,
  TransportResponse,
  UnitTransport,
} from '../../ports/unit-transport.js';
import { excerpt, failedAnswer } from '../answer.js';
import { maskAnswer } from '../masking/mask-answer.js';
import type { SecretFinder } from '../masking/secret-finder.js';
import { finderOf } from '../masking/secret-forms.js';
import { secretsOfAnswer } from './answer-secrets.js';
import { endpointCalls } from './endpoint-calls.js';
import { interpretResponse, type ResponseContext } from './interpret-response.js';
import { createSecretMask } from './secret-mask.js';
import { TimeLimit } from './time-limit.js';
import { callHeaders, constantHeaders, type CallNames } from './unit-headers.js';

/** 10 MiB. */
const DEFAULT_MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

export interface HttpUnitOptions {
  /** An absolute http or https URL; `user:password@` is sent as basic authentication. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bounds one attempt, in ms, beside the deadline of the request. Null: only that one. */
  readonly timeoutMs: number | null;
  readonly transport: UnitTransport;
  readonly clock: Clock;
  /** More values that no error and no answer may hold. Default: none. */
  readonly masked?: readonly string[];
  /** Default 10 MiB. */
  readonly maxResponseBytes?: number;
}

/** Calls a remote unit (wire contracts, "Remote unit"). No error or answer holds a credential or a header's value. */
export class HttpUnitExecutor implements UnitExecutor {
  private readonly calls: EndpointCalls;
  private readonly context: ResponseContext;
  /** Made when the first answer is there: many executors make one call only. */
  private finder: SecretFinder | null = null;
  private mask: ((text: string) => string) | null = null;
  private readonly quote = (text: string): string => {
    const { endpoint, headers, masked } = this.options;
    this.mask ??= createSecretMask(endpoint, headers, masked);
    return excerpt(text, this.mask);
  };

  constructor(private readonly options: HttpUnitOptions) {
    const { endpoint, headers, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options;
    this.context = { quote: this.quote, clock: options.clock, maxResponseBytes };
    this.calls = endpointCalls(options.transport, {
      url: endpoint,
      headers: constantHeaders(headers),
      maxResponseBytes,
    });
  }

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitAnswer> {
    try {
      const { timeoutMs } = this.options;
      if (timeoutMs !== null) return await this.callWithin(timeoutMs, request, options);
      const response = await this.post(request, options, options);
      const answer = this.interpret(response);
      return answer instanceof Promise ? await answer : answer;
    } catch {
      // A body too large for one string, say. The cause's text might repeat what must not be seen.
      return failedAnswer('request cannot be sent', { retryable: false, outcome: 'refused' });
    }
  }

  private async callWithin(
    timeoutMs: number,
    request: UnitRequest,
    options: ExecuteOptions,
  ): Promise<UnitAnswer> {
    const limit = new TimeLimit(options, this.options.clock, timeoutMs);
    try {
      const response = await this.post(request, options, limit);
      if (response.kind !== 'network-error' || !limit.isOverrun) return this.interpret(response);
      const error = `timed out after ${timeoutMs} ms`;
      return failedAnswer(error, { retryable: true, outcome: 'unknown', timedOutMs: timeoutMs });
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

  private interpret(response: TransportResponse): UnitAnswer | Promise<UnitAnswer> {
    const answer = interpretResponse(response, this.context);
    return answer instanceof Promise
      ? answer.then((read) => this.withoutSecrets(read, response))
      : this.withoutSecrets(answer, response);
  }

  private withoutSecrets(answer: UnitAnswer, response: TransportResponse): UnitAnswer {
    if (answer.kind === 'failed' || response.kind !== 'response') return answer;
    const { endpoint, headers, masked = [] } = this.options;
    this.finder ??= finderOf([...secretsOfAnswer(endpoint, headers), ...masked]);
    return mayHold(response.body, this.finder) ? maskAnswer(answer, this.finder) : answer;
  }
}

/** Without escapes every string of a JSON text stands in it as it is: one look at the whole spares a walk through all. */
function mayHold(body: string, finder: SecretFinder): boolean {
  return !finder.isEmpty && (body.includes('\\') || finder.mask(body) !== body);
}
