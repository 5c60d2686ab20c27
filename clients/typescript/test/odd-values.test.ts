import { mock } from '../../../test/support/workflow-documents.js';
import { BOTH_MODES, type Mode } from './support/modes.js';

const IDS = [
  'with spaces and  more',
  'a/b//c',
  '100% %41 %2F %',
  '?x=1&y#z',
  'ünïcödé 日本語 🚀',
  '"quotes\' `and` \\backslashes\\',
  '...',
  '.hidden',
  '__proto__',
  'from-yaml',
  'x'.repeat(256),
];

const VALUES = {
  unicode: 'a\u0301 日本語 🚀 \u2028\u2029 \u0000 \u202e',
  quotes: `"double" 'single' \`back\` \\ \${{ no }} {{ x }}`,
  newlines: 'one\ntwo\r\nthree\rfour\n\n',
  blanks: '  \t ',
  empty: '',
  nothing: null,
  no: false,
  zero: 0,
  twoTo53: 2 ** 53,
  safe: Number.MAX_SAFE_INTEGER,
  least: -(2 ** 53),
  small: 5e-324,
  large: 1.7976931348623157e308,
  fraction: 0.1 + 0.2,
  list: [null, '', [], {}, [[]]],
  '': 'a key without a name',
  'a.b/c~d': { '"': 1 },
  yes: 'yes',
  '~': '~',
  number: '0123',
};

describe.each(BOTH_MODES)('by a client of %s', (_name, start) => {
  let mode: Mode;
  beforeEach(async () => {
    mode = await start();
  });
  afterEach(() => mode.close());

  const workflow = (id: string, unit: object = mock('a')) => ({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow' as const,
    metadata: { id },
    spec: { units: [unit as { id: string; uses: string }], flow: 'a' },
  });

  it.each(IDS)('the workflow id %j is registered, started, read and resumed', async (id) => {
    expect(await mode.client.loadAndRegister(workflow(id))).toEqual({ workflowId: id });
    const run = await mode.client.startWorkflow(id, {}, { sync: true });
    expect(run).toMatchObject({ workflowId: id, status: 'completed' });
    expect(await mode.client.getRun(id, run.runId)).toEqual(run);
    expect(await mode.client.resume(id, run.runId)).toEqual(run);
    expect((await mode.client.getMessages(id, run.runId)).messages).toEqual(run.result?.messages);
    expect((await mode.client.health()).workflows).toEqual([id]);
  });

  it.each(['.', '..'])(
    'the id %j, which no address can carry, is run or refused with a sentence',
    async (id) => {
      await mode.client.loadAndRegister(workflow(id));
      const run = mode.client.startWorkflow(id, {}, { sync: true });
      if (_name.includes('in process')) expect((await run).status).toBe('completed');
      else await expect(run).rejects.toThrow(`The id ${id} cannot be sent`);
    },
  );

  it('inputs come to units, and outputs back, as they were', async () => {
    const received: unknown[] = [];
    mode.registerUnit('test.echo', ({ input }) => {
      received.push(structuredClone(input));
      return { content: input };
    });
    await mode.client.loadAndRegister(workflow('echo', { id: 'a', uses: 'test.echo' }));
    const { result } = await mode.client.startWorkflow('echo', VALUES, { sync: true });
    expect(received).toEqual([VALUES]);
    expect(result?.state['output.a']).toEqual(VALUES);
    expect(result?.state).toMatchObject(VALUES);
  });

  it('values of a document come to the run as they stand there', async () => {
    await mode.client.loadAndRegister(workflow('said', mock('a', VALUES.unicode.replace('\0', ''))));
    const yaml = [
      'apiVersion: flowgate/v1',
      'kind: Workflow',
      'metadata: { id: "block \\"quoted\\"" }',
      'spec:',
      '  units:',
      '    - id: a',
      '      uses: builtin.mock',
      '      config:',
      '        response:',
      '          text: |',
      '            it\'s "quoted": yes # no comment',
      '',
      '            ünïcödé 🚀',
      '          big: 9007199254740991',
      "          empty: ''",
      '          nothing: ~',
      '  flow: a',
      '',
    ].join('\n');
    const { workflowId } = await mode.client.loadAndRegister(yaml);
    expect(workflowId).toBe('block "quoted"');
    const run = await mode.client.startWorkflow(workflowId, {}, { sync: true });
    expect(run.result?.state['output.a']).toEqual({
      text: 'it\'s "quoted": yes # no comment\n\nünïcödé 🚀\n',
      big: Number.MAX_SAFE_INTEGER,
      empty: '',
      nothing: null,
    });
  });

  it('a document of a megabyte, and an input and an output of one', async () => {
    const text = 'ü'.repeat(500_000);
    await mode.client.loadAndRegister(workflow('large', mock('a', text)));
    const run = await mode.client.startWorkflow('large', { text }, { sync: true });
    expect(run.result?.state).toEqual({ text, 'output.a': text });
  });

  it('a responder and a comment of any letters', async () => {
    const gate = { id: 'a', uses: 'builtin.approval', config: { title: 'May it?' } };
    await mode.client.loadAndRegister(workflow('asked', gate));
    const { runId } = await mode.client.startWorkflow('asked', {}, { sync: true });
    const comment = 'so\n"be" it 🚀';
    const run = await mode.client.respondHITL('asked', runId, true, 'Ánn Ö’Hara 日本', { comment });
    expect(run.result?.state['output.a']).toMatchObject({ responder: 'Ánn Ö’Hara 日本', comment });
  });
});
