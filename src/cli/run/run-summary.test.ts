import { nextSteps, type NextStep } from './next-steps.js';
import { summaryLines } from './run-summary.js';
import type { SummarisedRun } from './summarised-run.js';

const RUN = '01a21989-f018-7497-8ff1-4356f45e4c41';
const plain = (_format: string, text: string): string => text;
const commandFor = (step: NextStep): string => JSON.stringify(step);

interface Parts extends Partial<Omit<SummarisedRun, 'result'>> {
  readonly result?: Partial<SummarisedRun['result']>;
}
function run({ result, ...more }: Parts): SummarisedRun {
  const empty = { completedUnits: [], state: {}, messages: [], duration: 1_234, tokenUsage: 0, cost: 0 };
  const header = { runId: RUN, workflowId: 'hello', status: 'running' };
  return {
    ...header,
    failure: null,
    waits: [],
    compensation: null,
    ...more,
    result: { ...empty, ...result },
  };
}
const linesOf = (parts: Parts, isWide = false): readonly string[] =>
  summaryLines(run(parts), nextSteps(run(parts)), { paint: plain, isWide, commandFor });
const asked = (gateId: number, action: string) => ({ type: 'hitl-request', gateId, action });

describe('the last lines about a run', () => {
  it('say what a completed run gave, by its output where the workflow has one', () => {
    expect(
      linesOf({ status: 'completed', result: { output: { total: 3 }, tokenUsage: 660, cost: 0.25 } }),
    ).toEqual([`hello ${RUN}: completed (1.2 s, 660 tokens, cost 0.25)`, 'output: {"total":3}']);
    const state = { name: 'Ada', 'output.a': 1, 'output.b': 'Hello\u001b[2J' };
    expect(linesOf({ status: 'completed', result: { state, completedUnits: ['a', 'b'] } })).toEqual([
      `hello ${RUN}: completed (1.2 s)`,
      'output: Hello\uFFFD[2J',
    ]);
  });

  it('are short whatever a run gave, and whole where all is asked for', () => {
    const output = 'x'.repeat(5_000);
    expect(linesOf({ status: 'completed', result: { output } })[1]?.length).toBeLessThan(320);
    const wide = linesOf({ status: 'completed', result: { output, state: { a: 1, b: 2 } } }, true);
    expect(wide.slice(1)).toEqual([`output: ${output}`, 'state:  a, b']);
  });

  it('say at a gate what it asks, and the command that decides', () => {
    const waits = [{ for: 'gate', id: 4, unitId: 'approve' }];
    expect(linesOf({ status: 'paused', waits, result: { messages: [asked(4, 'Send\nit?')] } })).toEqual([
      `hello ${RUN}: paused (1.2 s)`,
      'waits for a decision at approve (gate 4): Send it?',
      'next:  {"do":"approve","gateId":null}',
    ]);
    const two = [...waits, { for: 'gate', id: 9, unitId: 'second' }];
    expect(linesOf({ status: 'paused', waits: two }).slice(-2)).toEqual([
      'next:  {"do":"approve","gateId":4}',
      '       {"do":"approve","gateId":9}',
    ]);
  });

  it('say of a budget that is used up how to raise it, in options', () => {
    const before =
      'Unit search was not called: the run has used 660 tokens, its budget. Resume the run with a higher one: ';
    const error = `${before}{"budget": {"maxTokens": …}}`;
    const messages = [{ type: 'run-paused', reason: 'budget', unitId: 'search', error }];
    const waits = [{ for: 'resume', id: 7, unitId: 'search', reason: 'budget' }];
    expect(linesOf({ status: 'paused', waits, result: { messages, tokenUsage: 660 } })).toEqual([
      `hello ${RUN}: paused (1.2 s, 660 tokens)`,
      `waits at search to be resumed (budget): ${before}flowgate resume <runId> --max-tokens …`,
      'next:  {"do":"resume","maxTokens":1320,"maxCost":null}',
    ]);
  });

  it('suggest a budget that is one, also where nothing was used', () => {
    const messages = [{ type: 'run-paused', error: '{"budget": {"maxTokens": …, "maxCost": …}}' }];
    const waits = [{ for: 'resume', id: 7, unitId: 'a', reason: 'budget' }];
    expect(linesOf({ status: 'paused', waits, result: { messages } }).at(-1)).toBe(
      'next:  {"do":"resume","maxTokens":1000,"maxCost":1}',
    );
  });

  it('say of a failure where it is, and what to look at and to try', () => {
    const failure = { unitId: 'a', line: 6, column: 26, attempts: 3 };
    expect(linesOf({ status: 'failed', error: 'no\u001b way', failure })).toEqual([
      `hello ${RUN}: failed (1.2 s)`,
      'error: no\uFFFD way (line 6:26 of the document)',
      'next:  {"do":"logs"}',
      '       {"do":"resume","maxTokens":null,"maxCost":null}',
    ]);
  });

  it('suggest for a cancelled run nothing but what could not be undone', () => {
    const cancelled = { status: 'failed', cancelled: true, error: 'Cancelled by ann' } as const;
    expect(linesOf(cancelled)).toEqual([`hello ${RUN}: cancelled (1.2 s)`, 'error: Cancelled by ann']);
    expect(linesOf({ ...cancelled, compensation: { status: 'failed' } }).at(-1)).toBe(
      'next:  {"do":"compensate"}',
    );
  });

  it('say of a run that moves how to watch it', () => {
    expect(linesOf({})).toEqual([`hello ${RUN}: running (1.2 s)`, 'next:  {"do":"watch"}']);
  });
});
