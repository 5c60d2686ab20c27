import { InMemoryRunStore } from '../../src/engine/index.js';
import { inSequence, openEngine, workflowYaml, type TestEngine } from '../support/engine.js';
import { changed, exportOf, linesOf, withSum } from '../support/exports.js';
import { cpuMs } from '../support/cpu-time.js';

type Line = Record<string, unknown>;

const YAML = workflowYaml('w', {
  units: [
    { id: 'a', uses: 'work', with: { n: '${input.n}' } },
    { id: 'b', uses: 'work' },
    { id: 'g', uses: 'builtin.approval', config: { title: 'May it?' } },
  ],
  flow: { type: 'sequential', order: [{ type: 'foreach', items: 'input.items', do: 'a' }, 'b', 'g'] },
});

let here: TestEngine;
let there: TestEngine;
let thereStore: InMemoryRunStore;
let text: string;
let runId: string;

beforeAll(async () => {
  here = await openEngine({ work: () => 'done' });
  await here.engine.workflows.register({ yaml: YAML });
  const run = await here.engine.runs.start({ workflowId: 'w', input: { n: 1, items: [1, 2] }, sync: true });
  await here.engine.gates.respond({ ...run, approved: true, responder: 'ann' });
  ({ runId } = run);
  text = await exportOf(here.engine, run);
});
afterAll(() => here.engine.close());
beforeEach(async () => {
  thereStore = new InMemoryRunStore();
  there = await openEngine({ work: () => 'done' }, { store: thereStore });
});
afterEach(async () => {
  await expect(thereStore.readRow({ runId })).resolves.toBeNull();
  await expect(thereStore.definitionsKept()).resolves.toMatchObject({ count: 0 });
  await there.engine.close();
});

const importing = (given: string | Uint8Array) =>
  there.engine.runs.import({ ndjson: typeof given === 'string' ? Buffer.from(given) : given });

async function refusal(given: string | Uint8Array): Promise<string> {
  const error: unknown = await importing(given).then(
    () => new Error('It was taken'),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({
    code: expect.stringMatching(/^(?:invalid-request|yaml-validation|yaml-load)$/),
  });
  return (error as Error).message;
}

const indexOf = (lines: readonly Line[], type: string) => lines.findIndex((line) => line['type'] === type);

describe('an export of which one byte differs', () => {
  const everyNth = Number(process.env['FLOWGATE_FLIPPED_EVERY'] ?? 13);

  it('is refused, wherever that is', async () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += everyNth) {
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ (1 << (at % 8));
      await refusal(flipped);
    }
    // The whole last line, and the line breaks, where a reader of JSON would accept some changes.
    for (let at = bytes.length - 100; at < bytes.length; at++) {
      for (const other of [0x20, 0x09, 0x0d, 0x0a, 0x30, 0x41]) {
        if (bytes[at] === other) continue;
        const flipped = Buffer.from(bytes);
        flipped[at] = other;
        await refusal(flipped);
      }
    }
  }, 60_000);

  it.each([
    ['nothing', ''],
    ['one line break', '\n'],
    ['no export', '{"lastSeq":1}\n'],
    ['a header alone', '{"format":"flowgate-run/1"}\n'],
  ])('so is %s', async (_name, given) => {
    expect(await refusal(given)).toContain('The export has no end');
  });

  it.each([
    ['its beginning', () => text.slice(1)],
    ['its first line', () => text.slice(text.indexOf('\n') + 1)],
    ['a line within', () => text.split('\n').toSpliced(3, 1).join('\n')],
    ['something after its end', () => `${text}{}\n`],
    ['a line break at its end', () => text.trimEnd()],
    ['line breaks of another system', () => text.replaceAll('\n', '\r\n')],
  ])('and one that differs by %s', async (_name, given) => {
    await refusal(given());
  });
});

describe('an export whose checksum is right, and which no engine wrote', () => {
  const event = (type: string, change: (line: Line) => void) => (lines: Line[]) =>
    change(lines[indexOf(lines, type)]!);
  const header = (change: Line) => (lines: Line[]) => void Object.assign(lines[0]!, change);

  it.each<[string, (lines: Line[]) => unknown, string]>([
    ['of another format', header({ format: 'flowgate-run/2' }), 'of the format flowgate-run/2'],
    ['without a format', header({ format: 1 }), 'no header of an export'],
    ['whose run id is none', header({ runId: '../x' }), 'runId of the export'],
    ['whose header is of another run', header({ runId: 'other' }), 'different runs'],
    [
      'whose header is of another workflow',
      header({ workflowId: 'other' }),
      'The workflow in the export is w',
    ],
    ['whose header has no hash', header({ hash: 'x' }), 'The header of the export must have'],
    ['whose header has another hash', header({ hash: 'f'.repeat(64) }), 'does not come to the hash'],
    ['whose units were found elsewhere', header({ uses: { work: 'http' } }), 'does not come to the hash'],
    [
      'whose units were found nowhere',
      header({ uses: { work: 'nowhere' } }),
      'The header of the export must have',
    ],
    ['whose document is none', header({ yaml: 'a: [' }), ''],
    [
      'whose document is another',
      header({ yaml: inSequence('w', [{ id: 'z', uses: 'work' }]) }),
      'does not come to the hash',
    ],
    ['without events', (lines) => lines.slice(0, 1), 'The export has no end'],
    ['with a gap', (lines) => void lines.splice(3, 1), 'Event 3 of the export is not there'],
    [
      'with an event twice',
      (lines) => void lines.splice(3, 0, lines[3]!),
      'Event 4 of the export is not there',
    ],
    [
      'that goes back in time',
      event('unit-finished', (line) => (line['at'] = 1)),
      'older than the one before',
    ],
    ['of no time', event('unit-finished', (line) => (line['at'] = 1e300)), 'does not hold such a at'],
    [
      'with an event of tomorrow',
      event('unit-finished', (line) => (line['v'] = 99)),
      'import it into the newer version',
    ],
    [
      'with an event of nobody',
      event('unit-finished', (line) => (line['type'] = 'constructor')),
      'which this version of',
    ],
    ['with an event that is a list', (lines) => [...lines, [1]], 'is no JSON object'],
    [
      'with an event without its fields',
      event('unit-finished', (line) => delete line['output']),
      'does not hold such a output',
    ],
    [
      'that says what its run is not',
      event('unit-finished', (line) => (line['newStatus'] = 'paused')),
      'says that the run is paused with it, which it is not',
    ],
    [
      'that says of its run what none can be',
      event('unit-finished', (line) => (line['newStatus'] = 'gone')),
      'does not hold such a newStatus',
    ],
    [
      'with two starts',
      (lines) => [...lines, { ...lines[1]!, seq: lines.length, at: lines.at(-1)!['at'] }],
      'must be run-started if',
    ],
    [
      'of another location',
      event('unit-scheduled', (line) => (line['path'] = '/spec/flow/nowhere')),
      'which the workflow does not have',
    ],
    [
      'of a scope without end',
      event('unit-scheduled', (line) => (line['scope'] = `>/spec/flow/order/0#9007199254740991`)),
      'others would have begun',
    ],
    [
      'of a scope that is none',
      event('unit-scheduled', (line) => (line['scope'] = `>/spec/flow/order/0#1e3`)),
      'which no flow opens',
    ],
    [
      'of a scope in itself',
      event('unit-scheduled', (line) => (line['scope'] = '>/spec/flow/order/0#0>/spec/flow/order/0#0')),
      'which no flow opens',
    ],
    [
      'of a scope at a unit',
      event('unit-scheduled', (line) => (line['scope'] = '>/spec/flow/order/1#0')),
      'which no flow opens',
    ],
    [
      'with keys that are refused',
      (lines) => [JSON.stringify(lines[0]), `{"__proto__":1,"v":2,"seq":1,"at":1,"type":"run-started"}`],
      'has a key that is refused',
    ],
    [
      'with labels of another form',
      event('run-started', (line) => (line['labels'] = { 'A b': 'c' })),
      'The label',
    ],
    [
      'that goes back to where it never was',
      (lines) => [
        ...lines,
        { v: 2, seq: lines.length, at: lines.at(-1)!['at'], type: 'rewound', toSeq: 99, by: lines[1]!['by'] },
      ],
      'goes back to an event that is not before it',
    ],
    [
      'that is a fork of a run that is not here',
      (lines) => [
        lines[0]!,
        lines[1]!,
        {
          v: 1,
          seq: 2,
          at: lines[1]!['at'],
          type: 'run-forked',
          fromRunId: 'nobody',
          fromSeq: 3,
          edits: {},
          by: lines[1]!['by'],
        },
      ],
      'a fork of the run nobody, which is not here up to its event 3: import that run first',
    ],
    [
      'that continues after its import',
      (lines) => {
        const imported = { v: 1, type: 'run-imported', sha256: 'x', by: lines[1]!['by'] };
        lines.splice(3, 0, { ...imported, at: lines[3]!['at'] });
        return lines.map((line, seq) => (seq === 0 ? line : { ...line, seq }));
      },
      'comes after the import that ended the log',
    ],
  ])('is refused where it is one %s', async (_name, change, said) => {
    expect(await refusal(changed(text, change))).toContain(said);
  });

  it('is refused for more events than are stated, and for fewer', async () => {
    const lines = linesOf(text);
    expect(await refusal(withSum(lines, lines.length))).toContain('The export ends with event');
  });

  it('is refused with bytes that are no text', async () => {
    const lines = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    const bytes = Buffer.from(lines.replace('done', 'do\u0001e'), 'latin1');
    bytes[bytes.indexOf(1)] = 0xff;
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const end = Buffer.from(`${JSON.stringify({ lastSeq: linesOf(text).length - 1, sha256 })}\n`);
    expect(await refusal(Buffer.concat([bytes, end]))).toContain('no text of UTF-8');
  });

  it('is refused, soon, where it only rewinds', async () => {
    const lines = linesOf(text);
    const scheduled = lines[indexOf(lines, 'unit-scheduled')]!;
    const { at, by } = { at: lines.at(-1)!['at'], by: lines[1]!['by'] };
    const items = { ...lines[indexOf(lines, 'items-opened')]! };
    const begun = [lines[0]!, lines[1]!, { ...items, at }];
    for (let index = 0; index < 8_000; index++) {
      begun.push({ ...scheduled, at, scope: `>/spec/flow/order/0#${index}` });
    }
    const toSeq = begun.length - 1;
    while (begun.length < 60_000) begun.push({ v: 2, at, type: 'rewound', toSeq, by });
    const numbered = begun.map((line, seq) => (seq === 0 ? line : { ...line, seq }));
    const startedAt = cpuMs();
    expect(await refusal(withSum(numbered))).toContain('takes too long to read');
    expect(cpuMs() - startedAt).toBeLessThan(20_000);
  }, 60_000);

  it('is refused beyond 16 MiB', async () => {
    expect(await refusal(Buffer.alloc(16 * 1024 * 1024 + 1, ' '))).toContain('larger than 16777216 bytes');
  });

  it('is refused where its state is larger than any run may have here', async () => {
    const { engine } = await openEngine({}, { maxStateBytes: 50 });
    await expect(engine.runs.import({ ndjson: Buffer.from(text) })).rejects.toThrow(
      'FLOWGATE_MAX_STATE_BYTES',
    );
    await engine.close();
  });
});

it('only a limited number of imports wait for others', async () => {
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => importing('no export\n')));
  const codes = all.map((one) => (one.status === 'rejected' ? one.reason.code : 'taken'));
  expect(codes.filter((code) => code === 'busy')).toHaveLength(12);
});

describe('an export of a run whose id the store cannot have', () => {
  it('is refused, with what to do', async () => {
    const isUuid = (id: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    Object.assign(thereStore, { acceptsRunId: isUuid });
    const renamed = changed(text, (lines) =>
      lines.map((line) => ('runId' in line ? { ...line, runId: 'an-old-run' } : line)),
    );
    expect(await refusal(renamed)).toMatch(/names the run "an-old-run", .* in lower case: import it into/);
  });
});
