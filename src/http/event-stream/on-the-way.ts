import type { Writable } from 'node:stream';

/** What was written of an answer and its client has not taken. */
export interface OnTheWay {
  readonly bytes: number;
  /** Resolves once the client has taken all that is on its way by now, or has gone. */
  taken(): Promise<void>;
}

export function onTheWayOf(written: Pick<Writable, 'write' | 'writableLength' | 'destroyed'>): OnTheWay {
  return {
    get bytes() {
      return written.writableLength;
    },
    // Node says so of a single write alone: one of nothing is done with when those before it are.
    taken: () =>
      new Promise((resolve) => {
        if (written.destroyed) resolve();
        else written.write('', () => resolve());
      }),
  };
}
