import type { Clock, JsonObject, UnitHandler } from '../../../src/engine/index.js';

/** What a unit of a recorded document answers; the document has it in the unit's `config.answers`. */
interface Answer {
  /** Only once the state has this key. */
  readonly when?: string;
  /** Only as far as this attempt. */
  readonly attempts?: number;
  /** Only before this instant, epoch ms. */
  readonly before?: number;
  /** Throws this, instead of answering. */
  readonly error?: string;
  readonly retryable?: boolean;
  /** Answers only when it is notified of a cancel, or never. */
  readonly answers?: 'when-told' | 'never';
  readonly content?: string;
  readonly state?: JsonObject;
  readonly metadata?: JsonObject;
  readonly tokens?: number;
  readonly cost?: number;
}

/**
 * The one unit that recorded documents call, `uses: scripted`: it answers the first of its answers whose conditions hold.
 * They depend on nothing but the request and the time, so that a run ends the same whichever version plays it.
 */
export function scriptedUnit(clock: Pick<Clock, 'now'>): UnitHandler {
  return async ({ state, context }, { signal }) => {
    const answers = (context.config['answers'] ?? []) as unknown as readonly Answer[];
    const answer = answers.find(
      ({ when, attempts, before }) =>
        (when === undefined || state[when] !== undefined) &&
        (attempts === undefined || context.attempt <= attempts) &&
        (before === undefined || clock.now() < before),
    );
    if (answer?.answers === 'never') return new Promise(() => undefined);
    if (answer?.answers === 'when-told') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    const { content = `${context.unitId} done`, error, retryable = true, tokens, cost } = answer ?? {};
    if (error !== undefined) throw Object.assign(new Error(error), { retryable });
    const usage = { totalTokens: tokens ?? 0, estimatedCost: cost ?? 0 };
    return {
      content,
      state: answer?.state ?? null,
      metadata: answer?.metadata ?? null,
      tokenUsage: tokens === undefined && cost === undefined ? null : usage,
    };
  };
}
