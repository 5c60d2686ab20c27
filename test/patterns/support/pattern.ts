import { leaveStage } from './stage.js';
import type { Pattern } from './catalogue.js';

/** What a pattern of the catalogue promises, of the documents that begin with its number. */
export function pattern(...[number, name, promises]: [...Pattern, () => void]): void {
  describe(`pattern ${number}, ${name}`, () => {
    afterEach(leaveStage);
    promises();
  });
}
