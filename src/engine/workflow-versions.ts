import type { JsonObject } from './core/json.js';

/** One definition of a workflow that is kept. */
export interface WorkflowVersion {
  readonly definitionHash: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Whether runs start from it now. */
  readonly current: boolean;
}

export interface WorkflowVersionDetails extends WorkflowVersion {
  readonly workflowId: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Ids, as declared. */
  readonly units: readonly string[];
  readonly flowType: string;
  readonly yaml: string;
  /** `spec.input`; null: any object will do. */
  readonly inputSchema: JsonObject | null;
  /** Never a value of a header, and of an endpoint no more than its origin. */
  readonly bindings: readonly {
    readonly uses: string;
    readonly origin: string;
    /** The names of the headers. */
    readonly headers: readonly string[];
  }[];
}

export interface WorkflowDiff {
  /** A unified diff of the two documents. */
  readonly text: string;
  readonly units: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
}
