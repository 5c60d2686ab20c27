import { APPROVE, gate, rewindTo, unit, work, type Situation } from './situation.ts';

const spec = {
  units: [...['a', 'b', 'c'].map((id) => unit(id, 'count')), gate('ask'), work('end')],
  flow: { type: 'sequential' },
};

/** Each ran to its gate, went back and ran there again, went back and ran there again. */
export const REWOUND: readonly Situation[] = [
  {
    name: 'rewound-further-back',
    is: 'It was rewound, and then to a checkpoint before the one that the first rewind went to.',
    spec,
    before: [rewindTo('b'), rewindTo('a')],
    left: 'paused',
    isLookedBackUpon: true,
    after: [APPROVE],
  },
  {
    name: 'rewound-behind-the-rewind',
    is: 'It was rewound, and then to a checkpoint that it reached after the first rewind.',
    spec,
    before: [rewindTo('a'), rewindTo('b', 1)],
    left: 'paused',
    isLookedBackUpon: true,
    after: [APPROVE],
  },
  {
    name: 'rewound-into-the-past',
    is: 'It was rewound, and then to a checkpoint of the stretch that the first rewind had left behind.',
    spec,
    before: [rewindTo('a'), rewindTo('c')],
    left: 'paused',
    isLookedBackUpon: true,
    after: [APPROVE],
  },
  {
    name: 'rewound-and-rewound-later',
    is: 'It was rewound twice, once behind the first rewind, and is rewound again by whoever opens the folder.',
    spec,
    before: [rewindTo('a'), rewindTo('b', 1)],
    left: 'paused',
    isLookedBackUpon: true,
    after: [rewindTo('c', 1), rewindTo('a'), rewindTo('b', 2), APPROVE],
  },
];
