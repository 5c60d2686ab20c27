import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NestFactory } from '@nestjs/core';
import { FlowgateModule, SqliteMemoryIndex, SqliteRunStore } from '../../src/index.js';
import { builtWorkers as workers } from '../support/built-worker.js';
import { temporaryFolder } from '../support/data-folder.js';
import { serviceOf } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

const WARM_UP = 5;
/** Kept in memory, with the text that each began with, so many runs would take 20 MB. */
const RUNS = 50;
const INPUT_CHARS = 400_000;
const MAX_GROWTH_BYTES = 8 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('runs that have ended', () => {
  it('leave memory again after a resume or a decision that found nothing to do', async () => {
    const folder = await temporaryFolder();
    const store = new SqliteRunStore({ folder: folder.path, workers });
    const memory = new SqliteMemoryIndex({ folder: folder.path, workers });
    const options = { logger: false as const, bodyParser: false };
    const app = await NestFactory.create(FlowgateModule.forRoot({ store, memory, prefix: '' }), options);
    await app.listen(0, '127.0.0.1');
    const service = serviceOf(app);
    await service.register(document('ends', [gate('ask')]));
    const beginAndAsk = async (index: number): Promise<void> => {
      const input = { text: `${index}`.padEnd(INPUT_CHARS, 'x') };
      const { runId } = await service.start('ends', { input, sync: true });
      const path = `/workflows/ends/runs/${runId}`;
      await service.post(`${path}/hitl`, { approved: true });
      const answers = [
        await service.post(`${path}/hitl`, { approved: true }),
        await service.post(`${path}/resume`, {}),
        await service.post(`${path}/resume`, {}, { 'idempotency-key': `key-${index}` }),
      ];
      const standings = answers.map(({ status, body }) => [status, body.status]);
      expect(standings).toEqual([
        [200, 'completed'],
        [200, 'completed'],
        [200, 'completed'],
      ]);
    };
    for (let index = 0; index < WARM_UP; index++) await beginAndAsk(index);
    const before = heapBytes();
    for (let index = 0; index < RUNS; index++) await beginAndAsk(WARM_UP + index);
    expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
    await service.close();
    await folder.remove();
  }, 120_000);
});
