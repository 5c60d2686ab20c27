import { anonymous } from './actor.js';
import type { AnyEvent } from './event-base.js';
import { decodeEvents } from './event-codec.js';
import { stampEvent } from './event-kinds.js';

const first = (type: string, fields: object): AnyEvent => ({ v: 1, seq: 3, at: 1_000, type, ...fields });

const location = { path: '/spec/flow', scope: '', unitId: 'u' };
const ofVersion1: readonly (readonly [string, object, object])[] = [
  [
    'run-started',
    { runId: 'r', workflowId: 'w', definitionHash: 'h', input: { by: 'x' }, parent: null, deadlineAt: null },
    {
      namespace: 'default',
      labels: {},
      by: anonymous('unknown'),
      origin: { type: 'client' },
    },
  ],
  ['resumed', { pauseId: 2, by: 'user' }, { by: anonymous('unknown', 'user'), executionId: null }],
  ['run-cancelled', { by: 'bob' }, { by: anonymous('unknown', 'bob') }],
  [
    'gate-decided',
    { gateId: 2, unitId: 'u', approved: true, responder: 'ann', comment: null, failed: false },
    { by: anonymous('unknown', 'ann') },
  ],
  ['rewound', { toSeq: 2, by: 'user' }, { by: anonymous('unknown', 'user') }],
  ['paused', { ...location, reason: 'before', executionId: null }, {}],
];

describe('a stored event', () => {
  it.each(ofVersion1)('of type %s and version 1 gets what version 1 knew nothing of', (type, then, since) => {
    const event = first(type, then);
    expect(decodeEvents([event], 'r')).toEqual([{ ...event, ...since, v: 2 }]);
  });

  it('that went back, of version 1, loses the state that it held', () => {
    const [rewound] = decodeEvents([first('rewound', { toSeq: 2, state: { seq: 2 } })], 'r');
    expect(rewound).toEqual({ v: 2, seq: 3, at: 1_000, type: 'rewound', toSeq: 2, by: anonymous('unknown') });
  });

  it('keeps unknown fields', () => {
    const events = [
      first('resumed', { pauseId: 2, by: 'user', mood: 'good' }),
      first('unit-skipped', { ...location, mood: 'bad' }),
    ];
    expect(decodeEvents(events, 'r')).toMatchObject([{ mood: 'good' }, { mood: 'bad' }]);
  });

  it('is handed on as it is, in the same array, when it is of its present version', () => {
    const events = [
      stampEvent({ type: 'unit-skipped', ...location }, 1, 1_000),
      stampEvent({ type: 'run-cancelled', by: anonymous('http', 'ann') }, 2, 1_000),
    ];
    expect(decodeEvents(events, 'r')).toBe(events);
    expect(events.map(({ v }) => v)).toEqual([1, 2]);
  });

  it('of an older version among present ones leaves those, and their order, as they are', () => {
    const present = stampEvent({ type: 'unit-skipped', ...location }, 1, 1_000);
    const events = [present, first('run-cancelled', { by: 'bob' }), present];
    const decoded = decodeEvents(events, 'r');
    expect(decoded.map(({ v }) => v)).toEqual([1, 2, 1]);
    expect([decoded[0], decoded[2]]).toEqual([present, present]);
    expect(decoded[0]).toBe(present);
    expect(events[1]!.v).toBe(1);
  });

  it.each([
    ['a type that is not known', first('bell-hung', {}), 'type bell-hung, version 1'],
    ['a type that every object has', first('constructor', {}), 'type constructor, version 1'],
    ['a newer version', { ...first('unit-skipped', location), v: 2 }, 'type unit-skipped, version 2'],
    ['no version', { ...first('unit-skipped', location), v: 0 }, 'type unit-skipped, version 0'],
    ['half a version', { ...first('resumed', {}), v: 1.5 }, 'type resumed, version 1.5'],
  ])('of %s is refused, and the error names it and says what to do', (_what, event, named) => {
    const decode = () => decodeEvents([event], 'run-7');
    expect(decode).toThrow(expect.objectContaining({ code: 'unreadable-event' }) as Error);
    expect(decode).toThrow(
      `Event 3 of the run run-7 is of ${named}, which this version of Flowgate cannot read: ` +
        'start the newer version that wrote it.',
    );
  });

  it.each([[null], [7], ['unit-skipped']])('that is no event (%j) is refused by the same error', (stored) => {
    expect(() => decodeEvents([stored as unknown as AnyEvent], 'run-7')).toThrow(
      expect.objectContaining({ code: 'unreadable-event' }) as Error,
    );
  });
});
