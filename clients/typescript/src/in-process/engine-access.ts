import { FlowgateApiError } from '../errors/api-error.js';
import { FlowgateClientError } from '../errors/client-error.js';
import type { UnitHandler } from '../types/units.js';
import { answerAsHttp, type Doing } from './answer-as-http.js';
import type { EngineLike } from './engine-like.js';
import { openEngine } from './open-engine.js';

/** The way to the engine: the one that was given, or one that is loaded and opened at the first question. */
export class EngineAccess {
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

  /** Rejects with errors of the client alone. */
  async ask<T>(doing: Doing, question: (engine: EngineLike) => Promise<T>): Promise<T> {
    try {
      return await question(await this.#engine());
    } catch (error) {
      throw asClientError(error, doing);
    }
  }

  /** The same for what comes one after the other. */
  async *each<T>(
    doing: Doing,
    question: (engine: EngineLike) => AsyncIterable<T>,
  ): AsyncGenerator<T, undefined> {
    try {
      yield* question(await this.#engine());
    } catch (error) {
      throw asClientError(error, doing);
    }
    return undefined;
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

function asClientError(error: unknown, doing: Doing): Error {
  return error instanceof FlowgateClientError ? error : answerAsHttp(error, doing);
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
