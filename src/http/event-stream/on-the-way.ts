import type { Writable } from 'node:stream';

/** The part of a response that was written and that its client has not taken yet. */
export interface OnTheWay {
  readonly bytes: number;
  /** Resolves once the client has taken all that is on its way by now, or has disconnected. */
  taken(): Promise<void>;
}

export function onTheWayOf(written: Pick<Writable, 'write' | 'writableLength' | 'destroyed'>): OnTheWay {
  return {
    get bytes() {
      return written.writableLength;
    },
    // Node reports this only for a single write; an empty one completes when those before it have.
    taken: () =>
      new Promise((resolve) => {
        if (written.destroyed) resolve();
        else written.write('', () => resolve());
      }),
  };
}
