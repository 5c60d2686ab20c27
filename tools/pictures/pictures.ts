import { family } from './diagrams/family.ts';
import { gatePicture } from './diagrams/gate.ts';
import { log } from './diagrams/log.ts';
import { parts } from './diagrams/parts.ts';
import { runLife } from './diagrams/run-life.ts';
import { svgOf } from './drawing/svg.ts';
import { flowPictures } from './flows/flow-pictures.ts';
import { runTree } from './screens/run-tree.ts';

/** The folder of the pages' pictures. `npm run pictures` writes it. */
export const FOLDER = 'docs/pictures';

/** Every picture as the text of its file, by the name of the file in the folder. */
export function pictures(): ReadonlyMap<string, string> {
  const all = [parts, runLife, log, gatePicture, family, runTree, ...flowPictures()];
  return new Map(all.map((picture) => [`${picture.name}.svg`, svgOf(picture)]));
}
