import type { RunAddress } from '../backend.js';
import { checkRun } from '../calls/arguments.js';
import type { Asking } from '../calls/asking.js';
import type { CallOptions } from '../options.js';
import type { WatchBounds } from '../options/watches.js';
import type { RunRecord } from '../types/records.js';

/** What an export may have, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** An export: its text, its bytes, or pieces of either, as `exportRun` gives them. */
export type RunExport = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Runs that go from one Flowgate to another. */
export class Transfer {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  exportRun(
    { workflowId, runId }: RunAddress,
    options: Omit<WatchBounds, 'timeoutMs'>,
  ): AsyncIterableIterator<string> {
    checkRun(workflowId, runId);
    return this.#asking.watch('exportRun', options, ({ transfer }, watching) =>
      transfer.exported({ workflowId, runId }, watching),
    );
  }

  async importRun(given: RunExport, options: CallOptions): Promise<RunRecord> {
    const ndjson = await bytesOf(given);
    return this.#asking.call('importRun', options, ({ transfer }, signal) =>
      transfer.imported(ndjson, signal),
    );
  }
}

/** Throws a `TypeError` for what is no export, or larger than any. */
async function bytesOf(given: RunExport): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(given)) {
    const part = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    if (!(part instanceof Uint8Array)) throw new TypeError('The export must be text, or bytes');
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) {
      throw new TypeError(`The export has more than ${MAX_BYTES} bytes: none of that size is taken`);
    }
    parts.push(part);
  }
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

function piecesOf(given: RunExport): AsyncIterable<string | Uint8Array> | readonly (string | Uint8Array)[] {
  if (typeof given === 'string' || given instanceof Uint8Array) return [given];
  if (typeof given === 'object' && given !== null && Symbol.asyncIterator in given) return given;
  throw new TypeError('The export must be text, bytes, or what exportRun gives');
}
