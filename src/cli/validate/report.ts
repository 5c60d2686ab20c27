import type { CheckedFile } from './checked-file.js';

/** Takes one document after the other, and says what was found in them. */
export interface Report {
  add(checked: CheckedFile): Promise<void>;
  /** `isCut`: there were more faults than anybody reads, and the rest was not looked at. */
  end(isCut: boolean): Promise<void>;
}
