import type { Mail } from './mail.js';
import { rejectAll, resolveAll, withoutRepeats } from './mail.js';

/** A mail whose replies are written down under its name. */
function mailOf(
  name: string,
  answers: string[],
  key: Partial<Record<'scope' | 'key' | 'content', string>> | null,
) {
  const record = key && {
    scope: key.scope ?? 'resume:run',
    key: key.key ?? 'k',
    fingerprint: key.content ?? 'same',
    runId: 'run',
  };
  const mail: Mail = {
    signals: [{ type: 'continue', at: 1 }],
    key: record && { record, request: 'resume' },
    isKept: false,
    replies: [
      {
        resolve: (changed) => answers.push(`${name}: ${changed}`),
        reject: (error) => answers.push(`${name}: ${(error as Error).message}`),
      },
    ],
  };
  return mail;
}

describe('a batch of mail', () => {
  it('keeps what has no key, in order, however alike it is', () => {
    const batch = ['a', 'b', 'c'].map((name) => mailOf(name, [], null));
    expect(withoutRepeats(batch)).toEqual(batch);
  });

  it('of one mail is that mail, and an empty one stays empty', () => {
    const alone = [mailOf('a', [], {})];
    expect(withoutRepeats(alone)).toBe(alone);
    expect(withoutRepeats([])).toEqual([]);
  });

  it('holds the same request under its key once, and its repetitions are told the same', () => {
    const answers: string[] = [];
    const [first, between, again, third] = [
      mailOf('first', answers, {}),
      mailOf('between', answers, null),
      mailOf('again', answers, {}),
      mailOf('third', answers, {}),
    ];
    const distinct = withoutRepeats([first!, between!, again!, third!]);
    expect(distinct.map(({ key }) => key)).toEqual([first!.key, null]);
    expect(distinct[0]!.signals).toBe(first!.signals);
    expect(answers).toEqual([]);
    resolveAll(distinct[0]!, true);
    expect(answers).toEqual(['first: true', 'again: true', 'third: true']);
    rejectAll(distinct[0]!, new Error('the disk is full'));
    expect(answers.slice(3)).toEqual(['first', 'again', 'third'].map((name) => `${name}: the disk is full`));
    expect(distinct[1]).toBe(between);
  });

  it('refuses another request under the same key, and that one alone', () => {
    const answers: string[] = [];
    const first = mailOf('first', answers, {});
    const other = mailOf('other', answers, { content: 'not the same' });
    expect(withoutRepeats([first, other])).toEqual([first]);
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatch(/^other: .*k/);
  });

  it('takes the same key in another scope, and another key in the same one, for requests of their own', () => {
    const answers: string[] = [];
    const batch = [{}, { scope: 'hitl:run' }, { key: 'other' }].map((key, index) =>
      mailOf(`${index}`, answers, key),
    );
    expect(withoutRepeats(batch)).toEqual(batch);
    expect(answers).toEqual([]);
  });
});
