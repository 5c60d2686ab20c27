/** Who wakes a run, and where. */
export interface RunDriver {
  /** `onWake` is called, at least once, for every wake that is due. */
  start(onWake: (runId: string) => void): void;
  /** The run has something to do at `at` (epoch ms); a later call for the same run replaces it; null forgets it. */
  wake(request: { readonly runId: string; readonly at: number | null }): void;
  stop(): Promise<void>;
}
