import type { RunEvent } from '../../../engine/core/log/event.js';
import type { LogEntry, RunRow } from '../../../engine/ports/run-store.js';
import type { ListRunsRequest, ListUnfinishedRequest } from '../operations/list-runs.js';
import type { WorkerThread } from '../threads/worker-thread.js';
import type { Scan, ScanResult } from './scan.js';

/** The scans of the reader thread, with their answers' types. */
export class Scanner {
  constructor(private readonly reader: WorkerThread<Scan, ScanResult>) {}

  listRuns(request: ListRunsRequest): Promise<readonly RunRow[]> {
    const { workflowId, status, before, limit } = request;
    const place = before === null ? null : { createdAt: before.createdAt, runId: before.runId };
    return this.rows({ kind: 'list-runs', request: { workflowId, status, before: place, limit } });
  }

  listUnfinished(request: ListUnfinishedRequest): Promise<readonly RunRow[]> {
    return this.rows({ kind: 'list-unfinished', request });
  }

  async readAll(request: {
    readonly afterPosition: number;
    readonly limit: number;
  }): Promise<readonly LogEntry[]> {
    const result = await this.reader.call({ kind: 'read-log', request });
    if (result.kind !== 'log') return [];
    return result.appends.map(([position, runId, workflowId, text]) => {
      const events: readonly RunEvent[] = JSON.parse(text);
      return { position, runId, workflowId, events };
    });
  }

  async check(): Promise<void> {
    await this.reader.call({ kind: 'check' });
  }

  private async rows(scan: Scan): Promise<readonly RunRow[]> {
    const result = await this.reader.call(scan);
    return result.kind === 'rows' ? result.rows : [];
  }
}
