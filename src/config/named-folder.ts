import { SilentDiskError } from '../errors/service-errors.js';

/** A folder of this machine that a setting names. */
export interface NamedFolder {
  readonly variable: string;
  /** The path as it was given. */
  readonly path: string;
}

/** A disk that works responds much sooner, also one on the network. */
const DISK_ANSWERS_WITHIN_MS = 3_000;

/** The beginning of a sentence about the folder. */
export function about({ variable, path }: NamedFolder): string {
  return `${variable} is ${JSON.stringify(path)}`;
}

/** The result of a file system call; a `SilentDiskError` when it takes too long, because it may never come. */
export async function resultOfDisk<T>(
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
