import { createHash } from 'node:crypto';
import { UnknownRunError } from '../../../errors/run-errors.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import type { Registrar } from '../../definitions/registrar.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { DefinitionStore } from '../../ports/store/definition-store.js';
import type { RunLog } from '../../ports/store/run-log.js';
import type { RunRow } from '../../ports/store/run-row.js';
import type { RunAddress } from '../reading/run-reader.js';
import { endLine, EXPORT_FORMAT, headerLine } from './export-format.js';

/** What is read at once, and all that is held for a slow reader; one event may be larger. */
const PAGE_EVENTS = 500;
const PAGE_CHARS = 262_144;

export interface RunExporterOptions {
  readonly store: Pick<RunLog, 'readRow' | 'readEvents'> & Pick<DefinitionStore, 'readDefinition'>;
  readonly registry: Pick<WorkflowRegistry, 'pinnedTo'>;
  readonly registrar: Pick<Registrar, 'exported'>;
}

/**
 * Exports a run: its definition without endpoints and headers, and its log as it is stored. For a run that continues, the
 * log ends where it ended at the request. Nothing is read before the reader takes it.
 */
export class RunExporter {
  constructor(private readonly options: RunExporterOptions) {}

  /** The lines, each with its line break. Throws an `UnknownRunError` at the first one. */
  async *lines({
    runId,
    workflowId,
    namespace = DEFAULT_NAMESPACE,
  }: RunAddress): AsyncGenerator<string, void> {
    const row = await this.options.store.readRow({ runId });
    if (row?.workflowId !== workflowId || row.namespace !== namespace) throw new UnknownRunError(runId);
    const checksum = createHash('sha256');
    for await (const line of this.checksummedLines(row)) {
      checksum.update(line);
      yield line;
    }
    yield endLine({ lastSeq: row.lastSeq, sha256: checksum.digest('hex') });
  }

  private async *checksummedLines(row: RunRow): AsyncGenerator<string, void> {
    yield await this.header(row);
    const { runId, lastSeq } = row;
    for (let afterSeq = 0; afterSeq < lastSeq;) {
      const limit = Math.min(PAGE_EVENTS, lastSeq - afterSeq);
      const page = await this.options.store.readEvents({ runId, afterSeq, limit, maxChars: PAGE_CHARS });
      // The run was purged in the meantime: without its last line the export cannot be taken for complete.
      if (page.length === 0) throw new UnknownRunError(runId);
      for (const event of page) yield `${JSON.stringify(event)}\n`;
      afterSeq = page.at(-1)?.seq ?? lastSeq;
    }
  }

  private async header({ runId, workflowId, namespace, definitionHash: hash }: RunRow): Promise<string> {
    const { store, registry, registrar } = this.options;
    const definition = await registry.pinnedTo({ namespace, workflowId, hash });
    const stored = await store.readDefinition({ namespace, hash });
    if (stored === null) throw new UnknownRunError(runId);
    return headerLine({
      format: EXPORT_FORMAT,
      runId,
      workflowId,
      hash,
      ...registrar.exported(stored, definition),
    });
  }
}
