/** How far a thing is that is done to many. */
export interface Progress {
  readonly all: number;
  readonly done: number;
  readonly refused: number;
  /** Why the last that was refused was; null: none was. */
  readonly lastFault: unknown;
  readonly isOver: boolean;
}

interface Watch {
  readonly isStopped: () => boolean;
  readonly onProgress: (progress: Progress) => void;
}

/** Acts upon each in turn: the service has others to serve as well. One that is refused stops no other. */
export async function inTurn<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  { isStopped, onProgress }: Watch,
): Promise<void> {
  let progress: Progress = { all: items.length, done: 0, refused: 0, lastFault: null, isOver: false };
  onProgress(progress);
  for (const item of items) {
    if (isStopped()) break;
    try {
      await act(item);
      progress = { ...progress, done: progress.done + 1 };
    } catch (error) {
      progress = { ...progress, refused: progress.refused + 1, lastFault: error };
    }
    onProgress(progress);
  }
  onProgress({ ...progress, isOver: true });
}
