import type { RunAddress, TransferBackend } from '../backend.js';
import type { EngineAccess } from './engine-access.js';

/** Whole runs, out of an engine and into one. */
export class InProcessTransfer implements TransferBackend {
  readonly #access: EngineAccess;

  constructor(access: EngineAccess) {
    this.#access = access;
  }

  exported(address: RunAddress): AsyncIterable<string> {
    return this.#access.each('finding', ({ runs }) => runs.export(address));
  }

  imported(ndjson: Uint8Array) {
    return this.#access.ask('finding', ({ runs }) => runs.import({ ndjson }));
  }
}
