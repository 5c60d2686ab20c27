/** Of a watch, which lasts until it is left, or until there is nothing more to deliver. */
export interface WatchBounds {
  /** Ends the watch, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long it may take until a lost connection is there again, in ms; `Infinity`: as long as it takes. Default: the
   * client's, 60,000.
   */
  readonly timeoutMs?: number | undefined;
  /** A connection that is silent for so many ms is lost; a service says at least something every 15,000. Default 60,000. */
  readonly maxSilenceMs?: number | undefined;
}
