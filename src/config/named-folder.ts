import { SilentDiskError } from '../errors/service-errors.js';

/** A folder of this machine that a setting names. */
export interface NamedFolder {
  readonly variable: string;
  /** As it was given. */
  readonly path: string;
}

/** A disk that answers at all answers much sooner, a network's too. */
const DISK_ANSWERS_WITHIN_MS = 3_000;

/** The head of a sentence about the folder. */
export function about({ variable, path }: NamedFolder): string {
  return `${variable} is ${JSON.stringify(path)}`;
}

/** What the disk of the folder answers; a `SilentDiskError` when that takes too long, for it may never come. */
export async function answerOfDisk<T>(
  folder: NamedFolder,
  asking: Promise<T>,
  maxWaitMs = DISK_ANSWERS_WITHIN_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new SilentDiskError(
            `${about(folder)}: its file system does not answer: check the disk or the network that it is on, or name ` +
              'another folder.',
          ),
        ),
      maxWaitMs,
    );
  });
  try {
    return await Promise.race([asking, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
