import { MAX_RUNS_IN_MESSAGE, messageOfText, textOfMessage, type ReplicaMessage } from './replica-message.js';

const RUN = '01980000-0000-7000-8000-000000000001';

describe('what replicas notify one another of', () => {
  it('is read as it was written', () => {
    const messages: readonly ReplicaMessage[] = [
      { type: 'nudge', runId: RUN },
      { type: 'watch', runId: RUN, replica: 'a1' },
      { type: 'appended', runs: [{ runId: RUN, seq: 12 }] },
      {
        type: 'appended',
        runs: [
          { runId: RUN, seq: Infinity },
          { runId: RUN, seq: 0 },
        ],
      },
      { type: 'freed', replica: 'a1' },
      { type: 'access' },
      { type: 'access-file', replica: 'a1', hash: 'ab'.repeat(32) },
      { type: 'access-file', replica: 'a1', hash: 'none' },
    ];
    expect(messages.map((message) => messageOfText(textOfMessage(message)))).toEqual(messages);
  });

  it('is nothing where this build does not know it', () => {
    const texts = [
      '',
      'nudge',
      'access-file a1 x',
      'nudge x',
      `nudge ${RUN.toUpperCase()}x`,
      `watch ${RUN}`,
      'freed A!',
      'newer 1',
    ];
    expect(texts.map(messageOfText)).toEqual(texts.map(() => null));
  });

  it('leaves out what it cannot read of a list', () => {
    expect(messageOfText(`appended ${RUN}:1 x:2 ${RUN}:-1 ${RUN}`)).toEqual({
      type: 'appended',
      runs: [{ runId: RUN, seq: 1 }],
    });
  });

  it('fits into a notification', () => {
    const runs = Array.from({ length: MAX_RUNS_IN_MESSAGE }, () => ({ runId: RUN, seq: 999_999_999_999 }));
    expect(textOfMessage({ type: 'appended', runs }).length).toBeLessThan(8_000);
  });
});
