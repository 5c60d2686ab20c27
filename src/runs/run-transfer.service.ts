import { Injectable } from '@nestjs/common';
import type { RunRecord } from '../engine/index.js';
import type { RequestContext } from '../http/identity/request-context.js';
import { orNotFound } from './or-not-found.js';
import { actorOf } from './actor-of.js';

/** How much is written at once. */
const BLOCK_CHARS = 65_536;

/** Exports and imports runs. */
@Injectable()
export class RunTransferService {
  /** Throws a `NotFoundError` for a run that the workflow does not have, and any error that occurs before the first line. */
  async export(
    workflowId: string,
    runId: string,
    { engine }: Pick<RequestContext, 'engine'>,
  ): Promise<AsyncIterable<string>> {
    const lines = engine.runs.export({ workflowId, runId })[Symbol.asyncIterator]();
    const first = await orNotFound(lines.next());
    return inBlocks(first, lines);
  }

  import(ndjson: Uint8Array, context: RequestContext): Promise<RunRecord> {
    return context.engine.runs.import({ ndjson, by: actorOf(context) });
  }
}

/** Closes the lines if the consumer of the blocks goes away. */
async function* inBlocks(
  first: IteratorResult<string, unknown>,
  lines: AsyncIterator<string>,
): AsyncGenerator<string, void> {
  let block = '';
  try {
    for (let next = first; next.done !== true; next = await lines.next()) {
      block += next.value;
      if (block.length < BLOCK_CHARS) continue;
      yield block;
      block = '';
    }
    yield block;
  } finally {
    await lines.return?.();
  }
}
