import type { StoredKey } from '../../../engine/ports/access/access-store.js';
import type { AuditRow } from '../../../engine/ports/audit/audit-act.js';
import type { Registration } from '../../../engine/ports/store/definition-store.js';
import type { RunRow } from '../../../engine/ports/store/run-row.js';
import type { HasLiveManagerRequest, ListKeysRequest } from '../operations/access/keys.js';
import type { ListActsRequest, ReadActsAfterRequest } from '../operations/audit/read-acts.js';
import type { ListDueRequest, ListUnfinishedRequest } from '../operations/lists/list-runs.js';
import type { LogColumns, ReadLogRequest } from '../operations/log/read-log.js';
import type { ListRegistrationsRequest } from '../operations/definitions/registrations.js';
import type { FindRunsRequest, FoundRuns } from '../operations/lists/find-runs.js';
import type { CountOpenGatesRequest, ListedGates, ListGatesRequest } from '../operations/lists/list-gates.js';
import type { CountOpenRunsRequest, UnfinishedTotals } from '../operations/lists/count-standing.js';
import type { Changes, ReadChangesRequest } from '../operations/lists/read-changes.js';
import type { JsonPieces } from '../threads/json-pieces.js';
import type {
  definitionsKept,
  definitionsOfRuns,
  listUnregistered,
  UnregisteredDefinition,
} from '../operations/definitions/unused-definitions.js';

/** A request to the reader thread: a read whose length depends on the size of the store. */
export type Scan =
  | { readonly kind: 'find-runs'; readonly request: FindRunsRequest }
  | { readonly kind: 'list-gates'; readonly request: ListGatesRequest }
  | { readonly kind: 'count-open-gates'; readonly request: CountOpenGatesRequest }
  | { readonly kind: 'count-open-runs'; readonly request: CountOpenRunsRequest }
  | { readonly kind: 'count-standing' }
  | { readonly kind: 'read-changes'; readonly request: ReadChangesRequest }
  | { readonly kind: 'list-unfinished'; readonly request: ListUnfinishedRequest }
  | { readonly kind: 'list-due'; readonly request: ListDueRequest }
  | { readonly kind: 'list-unindexed'; readonly limit: number }
  | { readonly kind: 'list-registrations'; readonly request: ListRegistrationsRequest }
  | { readonly kind: 'read-log'; readonly request: ReadLogRequest }
  | { readonly kind: 'read-large'; readonly request: LargeText }
  | { readonly kind: 'definitions-kept' }
  | { readonly kind: 'list-keys'; readonly request: ListKeysRequest }
  | { readonly kind: 'has-live-manager'; readonly request: HasLiveManagerRequest }
  | { readonly kind: 'list-acts'; readonly request: ListActsRequest }
  | { readonly kind: 'acts-after'; readonly request: ReadActsAfterRequest }
  | { readonly kind: 'list-unregistered'; readonly request: Parameters<typeof listUnregistered>[1] }
  | { readonly kind: 'definitions-of-runs'; readonly request: Parameters<typeof definitionsOfRuns>[1] }
  | { readonly kind: 'check' };

/** A text that is too large to be parsed in one piece; `seq` is that of the append's last event, or of the state. */
export interface LargeText {
  readonly of: 'append' | 'state';
  readonly runId: string;
  readonly seq: number;
}

export type ScanResult =
  | { readonly kind: 'rows'; readonly rows: readonly RunRow[] }
  | { readonly kind: 'found-runs'; readonly found: FoundRuns }
  | { readonly kind: 'gates'; readonly found: ListedGates }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'standing'; readonly totals: UnfinishedTotals }
  | { readonly kind: 'changes'; readonly changes: Changes }
  | { readonly kind: 'run-ids'; readonly runIds: readonly string[] }
  | { readonly kind: 'registrations'; readonly registrations: readonly Registration[] }
  | { readonly kind: 'keys'; readonly keys: readonly StoredKey[] }
  | { readonly kind: 'found'; readonly isFound: boolean }
  | { readonly kind: 'acts'; readonly acts: readonly AuditRow[] }
  | { readonly kind: 'log'; readonly appends: readonly LogColumns[] }
  | { readonly kind: 'json'; readonly pieces: JsonPieces | null }
  | { readonly kind: 'kept'; readonly kept: ReturnType<typeof definitionsKept> }
  | { readonly kind: 'unregistered'; readonly definitions: readonly UnregisteredDefinition[] }
  | { readonly kind: 'named'; readonly page: ReturnType<typeof definitionsOfRuns> }
  | { readonly kind: 'checked' };
