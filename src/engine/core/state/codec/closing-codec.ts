import type { Closing } from '../scope.js';

/** The stored form of a closing: how far it has come is found again. */
export interface EncodedClosing extends Omit<Closing, 'undoing' | 'around'> {
  /** What was done is being undone. Absent: it is not, yet. */
  readonly undone?: 0;
  readonly around?: EncodedClosing;
}

export function encodeClosing({ undoing, around, ...closing }: Closing): EncodedClosing {
  return {
    ...closing,
    ...(undoing === undefined ? {} : { undone: 0 }),
    ...(around === undefined ? {} : { around: encodeClosing(around) }),
  };
}

export function decodeClosing({ undone, around, ...closing }: EncodedClosing): Closing {
  return {
    ...closing,
    ...(undone === undefined ? {} : { undoing: { reached: null } }),
    ...(around === undefined ? {} : { around: decodeClosing(around) }),
  };
}
