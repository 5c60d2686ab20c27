import { ConsoleLogger, Logger } from '@nestjs/common';
import { LineWriter } from '../../src/http/standalone/line-writer.js';
import { ServiceLogger } from '../../src/http/standalone/service-logger.js';
import { diverted } from '../support/diverted.js';

const RUN = '01980000-0000-7000-8000-000000000001';

const texts: string[] = [];
const written = { write: (text: string) => texts.push(text) > 0 } as unknown as NodeJS.WritableStream;

describe('the log of the service', () => {
  it('costs the engine no more than half of what Nest would take for a line', () => {
    const microseconds = (logger: ConsoleLogger): number => {
      Logger.overrideLogger(logger);
      const engineLog = new Logger('Engine');
      let best = Infinity;
      for (let round = 0; round < 5; round += 1) {
        const startedAt = performance.now();
        for (let count = 0; count < 5_000; count += 1) {
          engineLog.log('Run ended', {
            run: RUN,
            workflow: 'invoices',
            status: 'completed',
            durationMs: count,
          });
        }
        best = Math.min(best, (performance.now() - startedAt) / 5);
      }
      Logger.overrideLogger(false);
      return best;
    };
    const ours = microseconds(new ServiceLogger('info', false, new LineWriter(written)));
    let theirs = 0;
    diverted(process.stdout, written.write, () => {
      theirs = microseconds(new ConsoleLogger({ logLevels: ['log'], json: true, flattenParams: true }));
    });
    expect(ours).toBeLessThan(theirs / 2);
  });
});
