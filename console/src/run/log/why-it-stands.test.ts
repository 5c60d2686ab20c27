import type { FullRunRecord, OpenWait } from '../../../../clients/typescript/src/types/records.js';
import { RunFold } from './fold-events.js';
import type { RunPicture } from './picture.js';
import { plainText, whyItStands } from './why-it-stands.js';

const times = {
  until: (at: number) => `in ${(at - 10_000) / 1_000} s`,
  span: (ms: number) => `${ms / 1_000} s`,
};
const NOTHING = { failure: null, waits: [], compensation: null } as const;

function sentence(record: Partial<FullRunRecord>, picture: RunPicture | null = null): string {
  const whole = { ...NOTHING, status: 'running', ...record } as FullRunRecord;
  return plainText(whyItStands(whole, picture, 10_000, times));
}

function pictureOf(
  ...events: readonly { readonly type: string; readonly at: number; readonly data: object }[]
): RunPicture {
  const fold = new RunFold();
  fold.take(
    events.map((event, index) => ({
      runId: 'r',
      workflowId: 'w',
      seq: index + 1,
      path: '/spec/flow',
      scope: '',
      ...event,
      data: JSON.parse(JSON.stringify(event.data)),
    })),
  );
  return fold.picture;
}

const wait = (about: Partial<OpenWait>): OpenWait => ({
  for: 'gate',
  id: 3,
  unitId: 'ask',
  path: '/spec/flow',
  ...about,
});
const failure = { path: null, line: null, column: null, code: 'unit' } as const;

describe('why a run stands', () => {
  it.each<[string, Partial<FullRunRecord>]>([
    [
      '`pay` failed twice: HTTP 503.',
      {
        status: 'failed',
        failure: {
          ...failure,
          unitId: 'pay',
          attempts: 2,
          message: 'Unit pay failed after 2 attempt(s): HTTP 503',
        },
      },
    ],
    [
      'It failed: no branch is left.',
      { status: 'failed', failure: { ...failure, unitId: null, attempts: 0, message: 'no branch is left' } },
    ],
    [
      '`ask` failed: Rejected by ann at gate ask.',
      {
        status: 'failed',
        failure: { ...failure, unitId: 'ask', attempts: 0, message: 'Rejected by ann at gate ask' },
      },
    ],
    ['Cancelled by ann.', { status: 'failed', cancelled: true, error: 'Cancelled by ann' }],
    ['`ask` waits for a decision, until in 2 s.', { status: 'paused', waits: [wait({ dueAt: 12_000 })] }],
    [
      '`ask` waits for a decision, and 2 others do so, too.',
      { status: 'paused', waits: [wait({}), wait({ id: 4 }), wait({ id: 5 })] },
    ],
    [
      '`call` of order-7 waits for the run `child`.',
      { waits: [wait({ for: 'child', unitId: 'call', itemKey: 'order-7', childRunId: 'child' })] },
    ],
    ['`nap` waits; it goes on in 60 s.', { waits: [wait({ for: 'time', unitId: 'nap', dueAt: 70_000 })] }],
    [
      'It was paused: resume it to go on.',
      { status: 'paused', waits: [wait({ for: 'resume', unitId: null, reason: 'requested' })] },
    ],
    [
      '`pay` has used up its budget: resume it with a higher one.',
      { status: 'paused', waits: [wait({ for: 'resume', unitId: 'pay', reason: 'budget' })] },
    ],
    ['It is running.', {}],
  ])('%s', (expected, record) => {
    expect(sentence(record)).toBe(expected);
  });

  it('says what is tried again, and when', () => {
    const failed = { executionId: 1, attempt: 1, error: 'HTTP 503', outcome: 'unknown', retryAt: 9_000 };
    const picture = pictureOf(
      { type: 'unit-scheduled', at: 1_000, data: { unitId: 'pay' } },
      { type: 'unit-attempt-failed', at: 2_000, data: failed },
      { type: 'unit-attempt-failed', at: 9_500, data: { ...failed, attempt: 2, retryAt: 22_000 } },
    );
    expect(sentence({ waits: [wait({ for: 'unit', id: 1, unitId: 'pay' })] }, picture)).toBe(
      '`pay` failed twice: HTTP 503; again in 12 s.',
    );
  });

  it('says how long a call lasts by now', () => {
    const picture = pictureOf({ type: 'unit-scheduled', at: 7_000, data: { unitId: 'pay' } });
    expect(sentence({ waits: [wait({ for: 'unit', id: 1, unitId: 'pay' })] }, picture)).toBe(
      '`pay` is being called for 3 s.',
    );
  });

  it('ends with what could not be undone', () => {
    const compensation = { status: 'failed', done: 1, failed: 2, unknown: 0 } as const;
    expect(sentence({ status: 'failed', error: 'no', compensation })).toBe(
      'It failed: no. 2 of what it did could not be undone: try that again.',
    );
  });
});
