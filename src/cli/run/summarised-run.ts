/** What a summary needs of a full record, be it a server's or that of an engine of this process. */
export interface SummarisedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: string;
  readonly error?: string;
  readonly cancelled?: true;
  readonly result: {
    readonly completedUnits: readonly string[];
    readonly state: object;
    readonly messages: readonly { readonly type: string }[];
    readonly duration: number;
    readonly tokenUsage: number;
    readonly cost: number;
    readonly output?: unknown;
  };
  readonly failure: {
    readonly unitId: string | null;
    readonly line: number | null;
    readonly column: number | null;
    readonly attempts: number;
  } | null;
  readonly waits: readonly {
    readonly for: string;
    readonly id: number;
    readonly unitId: string | null;
    readonly childRunId?: string;
    readonly reason?: string;
  }[];
  readonly compensation: { readonly status: string } | null;
}
