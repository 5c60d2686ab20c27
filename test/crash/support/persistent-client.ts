import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunRecord, SnapshotSummary } from '../../../src/engine/index.js';
import type { ExecutionLedger } from './execution-ledger.js';
import type { LogEvent, Message } from './run-history.js';

/** The fields of any response that these tests read. */
export interface ResponseBody extends Partial<RunRecord> {
  readonly messages?: readonly Message[];
  readonly items?: readonly LogEvent[];
  readonly next?: number | null;
  readonly snapshots?: readonly SnapshotSummary[];
}

/** A complete response; an incomplete one acknowledges nothing. */
export interface Acknowledged {
  readonly status: number;
  readonly body: ResponseBody;
}

export interface PostOptions {
  readonly key?: string;
  /** Connection errors after which the client gives up without knowing the result; default: never. */
  readonly patience?: number;
}

/** The service is shutting down, or the disk is full: nothing was done. */
const NOT_NOW = 503;
const PAUSE_MS = 20;
const ANSWER_WITHIN_MS = 60_000;

/**
 * Speaks HTTP to a service that may die at any moment: it retries, under the same Idempotency-Key, until
 * it has a complete response. Every response is shown to the ledger.
 */
export class PersistentClient {
  constructor(
    /** Where the service is now; it moves with every restart. */
    private readonly address: () => Promise<string>,
    private readonly ledger: ExecutionLedger,
    /** Resolves once the workflow is registered (again). */
    readonly register: (workflowId: string) => Promise<void>,
  ) {}

  static key(): string {
    return randomUUID();
  }

  async get(path: string): Promise<Acknowledged> {
    for (;;) {
      const answer = await this.attempt('GET', path);
      if (answer !== null && answer.status !== NOT_NOW) return answer;
      await delay(PAUSE_MS);
    }
  }

  /** Null when its patience was over before a response arrived: the request may have been carried out or not. */
  async post(path: string, body: unknown, { key, patience = Infinity }: PostOptions = {}) {
    for (let failures = 0; failures < patience;) {
      const answer = await this.attempt('POST', path, body, key);
      if (answer === null) failures += 1;
      else if (isForgotten(answer)) await this.register(/^\/workflows\/([^/]+)/.exec(path)![1]!);
      else if (answer.status !== NOT_NOW) return answer;
      await delay(PAUSE_MS);
    }
    return null;
  }

  private async attempt(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Acknowledged | null> {
    const base = await this.address();
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      this.ledger.seen(text);
      return { status: response.status, body: JSON.parse(text) as ResponseBody };
    } catch {
      return null;
    }
  }
}

/** The registry is in memory: after a restart the service knows the runs, and not the workflow. */
function isForgotten({ status, body }: Acknowledged): boolean {
  return status === 500 && String(body.error).startsWith('Unknown workflow: ');
}
