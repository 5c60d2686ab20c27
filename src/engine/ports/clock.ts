/** Cancels what was scheduled; harmless when it has already run. */
export type CancelTimer = () => void;

/** The only source of time in the engine. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Calls back once, not before the instant `at` (epoch ms, any distance). Never keeps the process alive. */
  schedule(at: number, callback: () => void): CancelTimer;
}
