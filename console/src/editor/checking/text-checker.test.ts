import { jest } from '@jest/globals';
import type { WorkflowCheck } from 'flowgate-client/remote';
import type { TextReading } from '../../documents/text-reading.js';
import { NO_NAMES } from '../../documents/known-names.js';
import { TextChecker } from './text-checker.js';

const at = (line: number, message: string) => ({ path: '', line, column: 1, message });
const read = (...faults: readonly ReturnType<typeof at>[]): TextReading => {
  return { faults, names: NO_NAMES, flow: null, unitLines: new Map() };
};
const said = (...details: readonly ReturnType<typeof at>[]): WorkflowCheck => {
  return { ok: details.length === 0, details, warnings: [] };
};

/** A text that is changed by `type`, with a reader and a service that say what each text deserves. */
function editing(verdicts: {
  reader?: (text: string) => TextReading;
  service?: ((text: string) => WorkflowCheck) | null;
}) {
  const { reader = () => read(), service = () => said() } = verdicts;
  let text = '';
  const log: string[] = [];
  const checker = new TextChecker({
    text: () => text,
    length: () => text.length,
    read: (given) => (log.push(`read ${given}`), Promise.resolve(reader(given))),
    ask:
      service === null
        ? null
        : async (given) => {
            log.push(`ask ${given}`);
            return service(given);
          },
    onReading: () => undefined,
    onMarks: (marks) => log.push(`marks ${marks.map(({ message }) => message).join(', ')}`),
    onState: (state) => log.push(state),
  });
  const type = (next: string): void => ((text = next), checker.changed());
  const pass = async (ms: number): Promise<readonly string[]> => {
    await jest.advanceTimersByTimeAsync(ms);
    return log.splice(0);
  };
  return { checker, type, pass };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a text that is written', () => {
  it('is read at once, and the service is asked once it rests', async () => {
    const { type, pass } = editing({ service: () => said(at(1, 'no unit')) });
    type('a');
    expect(await pass(100)).toEqual(['checking', 'read a']);
    type('ab');
    expect(await pass(100)).toEqual(['checking', 'read ab']);
    expect(await pass(300)).toEqual(['ask ab', 'marks no unit', 'checked']);
  });

  it('is no matter for the service while the reader has something against it', async () => {
    const { type, pass } = editing({ reader: () => read(at(2, 'is required')) });
    type('a');
    expect(await pass(1_000)).toEqual(['checking', 'read a', 'marks is required', 'checked']);
  });

  it('shows what the service said until it has answered about the text of now', async () => {
    const { type, pass } = editing({
      service: (text) => (text === 'bad' ? said(at(1, 'no unit')) : said()),
    });
    type('bad');
    await pass(1_000);
    type('good');
    expect(await pass(200)).toEqual(['checking', 'read good']);
    expect(await pass(300)).toEqual(['ask good', 'marks ', 'checked']);
  });

  it('loses what the reader said as soon as it is mended', async () => {
    const { type, pass } = editing({ reader: (text) => (text === 'bad' ? read(at(1, 'broken')) : read()) });
    type('bad');
    await pass(1_000);
    type('good');
    expect(await pass(100)).toEqual(['checking', 'read good', 'marks ']);
  });

  it('is checked by the reader alone where the service does not answer, or may not be asked', async () => {
    const gone = editing({
      service: () => {
        throw new Error('gone');
      },
    });
    gone.type('a');
    expect(await gone.pass(1_000)).toEqual(['checking', 'read a', 'ask a', 'marks ', 'alone']);
    const forbidden = editing({ service: null });
    forbidden.type('a');
    expect(await forbidden.pass(1_000)).toEqual(['checking', 'read a', 'marks ', 'alone']);
  });

  it('of more than 256 KiB is left to rest before it is read', async () => {
    const { type, pass } = editing({});
    const long = 'x'.repeat(300 * 1_024);
    type(long);
    expect(await pass(200)).toEqual(['checking']);
    expect(await pass(1_000)).toEqual([`read ${long}`]);
    expect(await pass(500)).toEqual([`ask ${long}`, 'marks ', 'checked']);
  });

  it('is not checked any more once the editor is gone', async () => {
    const { checker, type, pass } = editing({});
    type('a');
    checker.end();
    expect(await pass(5_000)).toEqual(['checking']);
  });
});
