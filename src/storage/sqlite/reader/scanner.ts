import type { LogEntry, Registration, RunRow, StoredEvent } from '../../../engine/ports/run-store.js';
import type { ListDueRequest, ListRunsRequest, ListUnfinishedRequest } from '../operations/list-runs.js';
import type { ListRegistrationsRequest } from '../operations/registrations.js';
import type { UnregisteredDefinition } from '../writer/operation.js';
import type { LogColumns } from '../operations/read-log.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import type { Scan, ScanResult } from './scan.js';

/** The scans of the reader thread, with their answers' types. */
export class Scanner {
  constructor(private readonly reader: WorkerThread<Scan, ScanResult>) {}

  listRuns(request: ListRunsRequest): Promise<readonly RunRow[]> {
    const { before } = request;
    const place = before === null ? null : { createdAt: before.createdAt, runId: before.runId };
    return this.rows({ kind: 'list-runs', request: { ...request, before: place } });
  }

  listUnfinished(request: ListUnfinishedRequest): Promise<readonly RunRow[]> {
    return this.rows({ kind: 'list-unfinished', request });
  }

  listDue(request: ListDueRequest): Promise<readonly RunRow[]> {
    const { after } = request;
    const place = after === null ? null : { wakeAt: after.wakeAt, runId: after.runId };
    return this.rows({ kind: 'list-due', request: { ...request, after: place } });
  }

  async listUnindexed(limit: number): Promise<readonly string[]> {
    const result = await this.reader.call({ kind: 'list-unindexed', limit });
    return result.kind === 'run-ids' ? result.runIds : [];
  }

  async listRegistrations(request: ListRegistrationsRequest): Promise<readonly Registration[]> {
    const result = await this.reader.call({ kind: 'list-registrations', request });
    return result.kind === 'registrations' ? result.registrations : [];
  }

  async definitionsKept(): Promise<{ readonly count: number; readonly size: number }> {
    const result = await this.reader.call({ kind: 'definitions-kept' });
    return result.kind === 'kept' ? result.kept : { count: 0, size: 0 };
  }

  async listUnregistered(request: {
    readonly opening: string | null;
    readonly limit: number;
  }): Promise<readonly UnregisteredDefinition[]> {
    const result = await this.reader.call({ kind: 'list-unregistered', request });
    return result.kind === 'unregistered' ? result.definitions : [];
  }

  async definitionsOfRuns(request: {
    readonly afterRunId: string;
    readonly limit: number;
  }): Promise<{ readonly named: readonly string[]; readonly lastRunId: string | null }> {
    const result = await this.reader.call({ kind: 'definitions-of-runs', request });
    return result.kind === 'named' ? result.page : { named: [], lastRunId: null };
  }

  async readAll(request: {
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly LogEntry[]> {
    const result = await this.reader.call({ kind: 'read-log', request });
    return result.kind === 'log' ? result.appends.map(entryOf) : [];
  }

  async check(): Promise<void> {
    await this.reader.call({ kind: 'check' });
  }

  private async rows(scan: Scan): Promise<readonly RunRow[]> {
    const result = await this.reader.call(scan);
    return result.kind === 'rows' ? result.rows : [];
  }
}

function entryOf([position, runId, namespace, workflowId, definitionHash, text]: LogColumns): LogEntry {
  if (text === null || definitionHash === null)
    return { kind: 'purged', position, runId, namespace, workflowId };
  const events: readonly StoredEvent[] = JSON.parse(text);
  return { kind: 'appended', position, runId, namespace, workflowId, definitionHash, events };
}
