import { PassThrough } from 'node:stream';
import type { GateItem } from 'flowgate-client';
import { choiceOf, GateQuestion } from './gate-question.js';

const gate = (runId: string, more: object = {}): GateItem =>
  ({
    workflowId: 'hello',
    runId,
    gateId: 4,
    unitId: 'approve',
    title: 'Send\nit?',
    openedAt: Date.now(),
    description: null,
    payload: null,
    ...more,
  }) as GateItem;

function terminal({ typed = '', isTTY = true } = {}) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  let said = '';
  stderr.on('data', (text: Buffer) => (said += text.toString()));
  if (typed !== '') stdin.write(typed);
  const question = new GateQuestion(
    stdin as unknown as NodeJS.ReadStream,
    stderr as unknown as NodeJS.WriteStream,
  );
  return { question, stdin, said: () => said };
}
const { signal } = new AbortController();

describe('a decision without a run', () => {
  let ci: string | undefined;
  beforeEach(() => {
    ci = process.env['CI'];
    delete process.env['CI'];
  });
  afterEach(() => {
    if (ci === undefined) delete process.env['CI'];
    else process.env['CI'] = ci;
  });

  it('takes the only gate that is open, and shows it', async () => {
    const { question, said } = terminal();
    const only = gate('01a2-f45e4c41', { description: 'To all\u001b[2J', payload: { amount: 120 } });
    expect(await question.which([only], 1, signal)).toBe(only);
    expect(said()).toBe(
      'hello f45e4c41, approve (gate 4, 0s ago): Send it?\n  To all\uFFFD[2J\n  {"amount":120}\n',
    );
  });

  it('asks among several, again where none was named', async () => {
    const { question, said } = terminal({ typed: 'x\n3\n2\n' });
    const gates = [gate('a'), gate('b')];
    expect(await question.which(gates, 5, signal)).toBe(gates[1]);
    expect(said().match(/Which of them \(1 to 2; nothing: none\)\?/g)).toHaveLength(3);
    expect(said()).toContain('and 3 older ones: flowgate gates lists them');
  });

  it('decides nothing where nothing was typed, or stdin has ended', async () => {
    expect(await terminal({ typed: '\n' }).question.which([gate('a'), gate('b')], 2, signal)).toBeNull();
    const { question, stdin } = terminal();
    stdin.end();
    expect(await question.which([gate('a'), gate('b')], 2, signal)).toBeNull();
  });

  it('ends with the reason of Ctrl-C', async () => {
    const { question } = terminal();
    const aborted = AbortSignal.abort(new Error('Interrupted.'));
    await expect(question.which([gate('a'), gate('b')], 2, aborted)).rejects.toThrow('Interrupted.');
  });

  it('cannot ask without a terminal, nor in CI', () => {
    expect(terminal().question.canAsk).toBe(true);
    expect(terminal({ isTTY: false }).question.canAsk).toBe(false);
    process.env['CI'] = 'true';
    expect(terminal().question.canAsk).toBe(false);
    process.env['CI'] = 'false';
    expect(terminal().question.canAsk).toBe(true);
  });

  it.each([
    ['', null],
    [' 2 ', 2],
    ['0', undefined],
    ['3', undefined],
    ['1.5', undefined],
    ['a', undefined],
  ])('reads %j as %s', (typed, choice) => {
    expect(choiceOf(typed, 2)).toBe(choice);
  });
});
