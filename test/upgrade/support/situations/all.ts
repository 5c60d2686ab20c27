import { BRANCHES, KEYED } from './branches.ts';
import { FAILED } from './failed.ts';
import { IN_FLIGHT, KEEPS_KILLING } from './in-flight.ts';
import { REWOUND } from './rewound.ts';
import type { Situation } from './situation.ts';
import { WAITING } from './waiting.ts';

/** One life of the process that writes a folder. */
export interface Life {
  readonly begins: readonly Situation[];
  readonly endsBy: 'close' | 'kill';
}

/** In this order the folder is written: what kills processes first, what must be found in flight last. */
export const LIVES: readonly Life[] = [
  { begins: [KEEPS_KILLING], endsBy: 'kill' },
  { begins: [], endsBy: 'kill' },
  { begins: [], endsBy: 'kill' },
  { begins: [...WAITING, ...BRANCHES, ...KEYED, ...REWOUND, ...FAILED], endsBy: 'close' },
  { begins: IN_FLIGHT, endsBy: 'kill' },
];

export const SITUATIONS: readonly Situation[] = LIVES.flatMap(({ begins }) => begins);
