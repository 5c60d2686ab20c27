import type { CheckedFile } from './checked-file.js';

/** Takes the documents sequentially, and reports what was found in them. */
export interface Report {
  add(checked: CheckedFile): Promise<void>;
  /** `isCut`: the check stopped early because there were too many faults. */
  end(isCut: boolean): Promise<void>;
}
