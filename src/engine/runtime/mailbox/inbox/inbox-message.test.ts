import { IdempotencyConflictError } from '../../../../errors/request-errors.js';
import type { InboxMessage } from './inbox-message.js';
import { rejectAll, resolveAll, withoutRepeats } from './inbox-message.js';

/** A message whose replies are recorded under its name. */
function inboxMessageOf(
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
  const message: InboxMessage = {
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
  return message;
}

const nobody = () => {
  throw new Error('Nobody lost.');
};

describe('a batch of messages', () => {
  it('keeps what has no key, in order, however alike it is', () => {
    const batch = ['a', 'b', 'c'].map((name) => inboxMessageOf(name, [], null));
    expect(withoutRepeats(batch, nobody)).toEqual(batch);
  });

  it('of one message is that message, and an empty one stays empty', () => {
    const alone = [inboxMessageOf('a', [], {})];
    expect(withoutRepeats(alone, nobody)).toBe(alone);
    expect(withoutRepeats([], nobody)).toEqual([]);
  });

  it('holds the same request under its key once, and its repetitions get the same reply', () => {
    const answers: string[] = [];
    const [first, between, again, third] = [
      inboxMessageOf('first', answers, {}),
      inboxMessageOf('between', answers, null),
      inboxMessageOf('again', answers, {}),
      inboxMessageOf('third', answers, {}),
    ];
    const distinct = withoutRepeats([first!, between!, again!, third!], nobody);
    expect(distinct.map(({ key }) => key)).toEqual([first!.key, null]);
    expect(distinct[0]!.signals).toBe(first!.signals);
    expect(answers).toEqual([]);
    resolveAll(distinct[0]!, true);
    expect(answers).toEqual(['first: true', 'again: true', 'third: true']);
    rejectAll(distinct[0]!, new Error('the disk is full'));
    expect(answers.slice(3)).toEqual(['first', 'again', 'third'].map((name) => `${name}: the disk is full`));
    expect(distinct[1]).toBe(between);
  });

  /** A request, and another one under its key, in one batch. */
  function rivals() {
    const answers: string[] = [];
    const orphans: InboxMessage[] = [];
    const first = inboxMessageOf('first', answers, {});
    const other = inboxMessageOf('other', answers, { content: 'not the same' });
    const [original, ...rest] = withoutRepeats([first, other], (rival) => orphans.push(rival));
    expect([original!.key, rest, answers]).toEqual([first.key, [], []]);
    return { original: original!, other, answers, orphans };
  }

  it('refuses another request under the same key once the first is durable', () => {
    const { original, answers } = rivals();
    resolveAll(original, true);
    expect(answers).toEqual(['first: true', expect.stringMatching(/^other: .*key k stands for another/i)]);
  });

  it('tells another request under the same key that neither could be stored', () => {
    const { original, answers } = rivals();
    rejectAll(original, new Error('the disk is full'));
    expect(answers).toEqual(['first: the disk is full', 'other: the disk is full']);
  });

  it('leaves another request under the same key unresolved when the first itself lost to an earlier one', () => {
    const { original, other, answers, orphans } = rivals();
    rejectAll(original, new IdempotencyConflictError('k'));
    expect([answers.length, orphans]).toEqual([1, [other]]);
  });

  it('takes the same key in another scope, and another key in the same one, for requests of their own', () => {
    const answers: string[] = [];
    const batch = [{}, { scope: 'hitl:run' }, { key: 'other' }].map((key, index) =>
      inboxMessageOf(`${index}`, answers, key),
    );
    expect(withoutRepeats(batch, nobody)).toEqual(batch);
    expect(answers).toEqual([]);
  });
});
