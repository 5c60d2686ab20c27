import type { DocumentFault } from '../errors/validation-error.js';
import type { JsonObject } from './json.js';

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
    /** Names. */
    readonly headers: readonly string[];
  }[];
}

export interface WorkflowDiff {
  /** Unified, of the two documents. */
  readonly text: string;
  /** Ids. */
  readonly units: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
}

/** Whether a workflow would be registered. */
export interface WorkflowCheck {
  readonly ok: boolean;
  /** Absent where the document does not say. */
  readonly workflowId?: string;
  /** What is wrong with it; none where it is `ok`. */
  readonly details: readonly DocumentFault[];
  /** What is accepted and probably not meant. */
  readonly warnings: readonly string[];
  /** The same, in the same order, with what they are about and where that is. Absent from older services. */
  readonly warningDetails?: readonly DocumentWarning[];
}

/** What a document says and probably does not mean. */
export interface DocumentWarning extends DocumentFault {
  /** What kind of a thing it is, such as `unused-unit`; more may come. */
  readonly code: string;
}

/** What the list of workflows says of one that is registered. */
export interface WorkflowItem {
  readonly workflowId: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Of the version that runs start from. */
  readonly definitionHash: string;
  /** Epoch ms. */
  readonly registeredAt: number;
  /** Ids, as declared. */
  readonly units: readonly string[];
  readonly flowType: string;
}
