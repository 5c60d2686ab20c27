import { ConsoleLogger } from '@nestjs/common';
import { diverted } from '../../../test/support/diverted.js';
import { LineWriter } from './line-writer.js';
import { ServiceLogger } from './service-logger.js';

const RUN = '01980000-0000-7000-8000-000000000001';

/** What was written to a stream, by write. */
class Written {
  readonly writes: string[] = [];
  readonly write = (text: string): boolean => {
    this.writes.push(text);
    return true;
  };

  get records(): readonly Record<string, unknown>[] {
    const lines = this.writes.join('').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

function loggerInto(written: Written, level: 'info' | 'warn' | 'debug' = 'info'): ServiceLogger {
  return new ServiceLogger(level, false, new LineWriter(written as unknown as NodeJS.WritableStream));
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('the log of the service', () => {
  it('is in the very format of Nest, whatever the fields', async () => {
    const written = new Written();
    const ours = loggerInto(written);
    const theirs = new ConsoleLogger({ logLevels: ['log', 'warn'], json: true, flattenParams: true });
    const nests = new Written();
    const said: unknown[][] = [
      ['Run started', { run: RUN, workflow: 'invoices' }, 'Engine'],
      [
        'a "message"\nof two lines é \u2028',
        { error: 'a\ttab', count: 1.5, yes: true, none: null },
        'Engine',
      ],
      ['fields of that name do not win', { level: 'x', message: 'y', context: 'z', pid: 1 }, 'Engine'],
      ['only a context', 'Flowgate'],
      ['odd numbers', { nan: NaN, endless: Infinity, nothing: undefined }, 'Engine'],
    ];
    diverted(process.stdout, nests.write, () => {
      for (const line of said) {
        theirs.log(...(line as [unknown]));
        theirs.warn(...(line as [unknown]));
      }
    });
    for (const line of said) {
      ours.log(...(line as [unknown]));
      ours.warn(...(line as [unknown]));
    }
    await turnOfTheLoop();
    const timeless = ({ records }: Written) => records.map((record) => ({ ...record, timestamp: 0 }));
    expect(timeless(written)).toEqual(timeless(nests));
    expect(written.writes.join('').replaceAll(/"timestamp":\d+/g, '')).toBe(
      nests.writes.join('').replaceAll(/"timestamp":\d+/g, ''),
    );
  });

  it('is written once for each round of the event loop', async () => {
    const written = new Written();
    const logger = loggerInto(written);
    for (let count = 0; count < 100; count += 1) logger.log('Run started', { count }, 'Engine');
    expect(written.writes).toEqual([]);
    await turnOfTheLoop();
    expect(written.writes).toHaveLength(1);
    expect(written.records.map((record) => record['count'])).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
  });

  it('does not wait for the next round when 64 KiB have gathered', () => {
    const written = new Written();
    const logger = loggerInto(written);
    for (let count = 0; count < 100; count += 1) logger.log('Long', { text: 'x'.repeat(1_000) }, 'Engine');
    expect(written.writes).toHaveLength(1);
    expect(written.writes[0]?.length).toBeGreaterThanOrEqual(65_536);
  });

  it('keeps the order where a line is left to Nest, and writes errors at once', () => {
    const written = new Written();
    const logger = loggerInto(written);
    const order: string[] = [];
    const record = (text: string): boolean => {
      order.push(`${written.records.length}: ${(JSON.parse(text) as { message: string }).message}`);
      return true;
    };
    diverted(process.stdout, record, () =>
      diverted(process.stderr, record, () => {
        logger.log('first', 'Engine');
        logger.log('second', { roles: ['follower'] }, 'Engine');
        logger.log('third', 'Engine');
        logger.error('fourth', { run: RUN }, 'Engine');
      }),
    );
    expect(order).toEqual(['1: second', '2: fourth']);
  });

  it('has nothing of a level that is off, nor of what Nest says about its own start', async () => {
    const written = new Written();
    const logger = loggerInto(written);
    logger.debug('quiet', 'Engine');
    logger.log('Mapped {/, GET} route', 'RouterExplorer');
    loggerInto(written, 'warn').log('Run started', { run: RUN }, 'Engine');
    await turnOfTheLoop();
    expect(written.writes).toEqual([]);
    loggerInto(written, 'debug').log('Mapped {/, GET} route', 'RouterExplorer');
    await turnOfTheLoop();
    expect(written.records).toMatchObject([{ level: 'debug', message: 'Mapped {/, GET} route' }]);
  });

  it('writes what has gathered when the process exits', () => {
    const written = new Written();
    const before = new Set(process.listeners('exit'));
    loggerInto(written).log('the last words', 'Flowgate');
    const [atExit] = process.listeners('exit').filter((listener) => !before.has(listener));
    atExit?.(0);
    expect(written.records).toMatchObject([{ message: 'the last words' }]);
    process.removeListener('exit', atExit!);
  });
});
