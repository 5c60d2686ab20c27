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
      const startedAt = performance.now();
      for (let count = 0; count < 5_000; count += 1) {
        engineLog.log('Run ended', {
          run: RUN,
          workflow: 'invoices',
          status: 'completed',
          durationMs: count,
        });
      }
      Logger.overrideLogger(false);
      return (performance.now() - startedAt) / 5;
    };
    const ofOurs = new ServiceLogger('info', false, new LineWriter(written));
    const ofNest = new ConsoleLogger({ logLevels: ['log'], json: true, flattenParams: true });
    let [ours, theirs] = [Infinity, Infinity];
    // In turns: what else the machine does slows both of them.
    diverted(process.stdout, written.write, () => {
      for (let round = 0; round < 15; round += 1) {
        ours = Math.min(ours, microseconds(ofOurs));
        theirs = Math.min(theirs, microseconds(ofNest));
        texts.length = 0;
      }
    });
    expect(ours).toBeLessThan(theirs / 2);
  });
});
