import type { Backend } from '../backend.js';
import { jsonText } from '../calls/json-text.js';
import { FlowgateApiError } from '../errors/api-error.js';
import { FlowgateClientError } from '../errors/client-error.js';
import type { UnitHandler } from '../types/units.js';
import { answerAsHttp, type Doing } from './answer-as-http.js';
import type { EngineLike } from './engine-like.js';
import { openEngine } from './open-engine.js';

const PAGE_LIMIT = 1_000;

/** Runs workflows in this process. The engine is loaded and opened at the first call that needs one. */
export class InProcessBackend implements Backend {
  readonly #given: EngineLike | undefined;
  readonly #options: object;
  /** Registered before there was an engine. */
  readonly #units = new Map<string, UnitHandler>();
  #opening: Promise<EngineLike> | null = null;
  #opened: EngineLike | null = null;
  #isClosed = false;

  constructor(given: EngineLike | undefined, options: object) {
    this.#given = given;
    this.#options = options;
  }

  async register(request: Parameters<Backend['register']>[0]): Promise<{ readonly workflowId: string }> {
    const { yaml, bindings } = request;
    const { workflowId } = await this.#ask('registering', (engine) =>
      engine.workflows.register({ yaml, bindings }),
    );
    return { workflowId };
  }

  start({ workflowId, input, sync, idempotencyKey }: Parameters<Backend['start']>[0]) {
    // A copy, and of JSON: as if it had been sent.
    const sent = JSON.parse(jsonText(input, 'The input')) as never;
    return this.#ask('steering', (engine) =>
      engine.runs.start({ workflowId, input: sent, sync, idempotencyKey }),
    );
  }

  get({ workflowId, runId }: Parameters<Backend['get']>[0]) {
    return this.#ask('reading', (engine) => engine.runs.get({ workflowId, runId }));
  }

  resume({ snapshotId, budget, ...request }: Parameters<Backend['resume']>[0]) {
    return this.#ask('steering', (engine) =>
      engine.runs.resume({
        ...request,
        ...(snapshotId === undefined ? {} : { snapshotId }),
        ...(budget === undefined ? {} : { budget: { ...budget } as Limits }),
      }),
    );
  }

  cancel({ by, ...request }: Parameters<Backend['cancel']>[0]) {
    return this.#ask('stopping', (engine) => engine.runs.cancel({ ...request, by: claimed(by) }));
  }

  pause({ by, ...request }: Parameters<Backend['pause']>[0]) {
    return this.#ask('stopping', (engine) => engine.runs.pause({ ...request, by: claimed(by) }));
  }

  respond({ gateId, comment, ...request }: Parameters<Backend['respond']>[0]) {
    return this.#ask('steering', (engine) =>
      engine.gates.respond({
        ...request,
        ...(gateId === undefined ? {} : { gateId }),
        ...(comment === undefined ? {} : { comment }),
      }),
    );
  }

  async messages({ workflowId, runId, after = '0', limit }: Parameters<Backend['messages']>[0]) {
    if (!/^\d{1,15}$/.test(after)) {
      throw new FlowgateApiError({
        status: 400,
        code: 'invalid-request',
        error: 'after is none of these messages: give `next` of the page before, or leave it out',
      });
    }
    const page = { afterSeq: Number(after), limit: Math.min(limit ?? PAGE_LIMIT, PAGE_LIMIT) };
    const { messages, next } = await this.#ask('reading', (engine) =>
      engine.runs.messages({ workflowId, runId, ...page }),
    );
    return { messages, next: next === null ? null : String(next) };
  }

  /** The interface says so: in process nothing is searched. */
  search() {
    return Promise.resolve({ results: [] });
  }

  health() {
    return this.#ask('reading', async (engine) => {
      const { store } = await engine.health();
      const items = await engine.workflows.list();
      return {
        ok: store === 'ok' && !engine.isClosing,
        workflows: items.map(({ workflowId }) => workflowId),
      };
    });
  }

  registerUnit(uses: string, handler: UnitHandler): void {
    const engine = this.#given ?? this.#opened;
    if (engine !== null) {
      registerAt(engine, uses, handler);
      return;
    }
    if (uses.startsWith('builtin.'))
      throw new TypeError(`${uses}: names that begin with builtin. are reserved`);
    if (this.#units.has(uses)) throw taken(uses);
    this.#units.set(uses, handler);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const engine = await this.#opening?.catch(() => null);
    await engine?.close();
  }

  silence(timeoutMs: number): string {
    return `The engine did not answer within ${timeoutMs} ms`;
  }

  async #ask<T>(doing: Doing, question: (engine: EngineLike) => Promise<T>): Promise<T> {
    try {
      return await question(await this.#engine());
    } catch (error) {
      throw error instanceof FlowgateClientError ? error : answerAsHttp(error, doing);
    }
  }

  async #engine(): Promise<EngineLike> {
    if (this.#isClosed) {
      throw new FlowgateApiError({
        status: 503,
        code: 'closed',
        error: 'The client is closed: make a new one',
      });
    }
    if (this.#given !== undefined) return this.#given;
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<EngineLike> {
    const engine = await openEngine(this.#options);
    for (const [uses, handler] of this.#units) engine.registerUnit(uses, handler);
    this.#units.clear();
    this.#opened = engine;
    return engine;
  }
}

type Limits = NonNullable<Parameters<EngineLike['runs']['resume']>[0]['budget']>;

function claimed(id: string) {
  return { id, owner: null, via: 'in-process', auth: 'none' } as const;
}

function registerAt(engine: EngineLike, uses: string, handler: UnitHandler): void {
  try {
    engine.registerUnit(uses, handler);
  } catch (cause) {
    throw (cause as { readonly code?: unknown }).code === 'duplicate-unit' ? taken(uses) : cause;
  }
}

function taken(uses: string): TypeError {
  return new TypeError(`${uses} is registered already: give one of the two units another name`);
}
