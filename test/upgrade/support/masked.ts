import type { Ending } from './manifest.ts';
import { HEADERS } from './remote.ts';

/** As later builds have it: what an answer repeats of its binding's headers is masked. A header that got lost would not be. */
export function masked(ending: Ending): Ending {
  let text = JSON.stringify(ending);
  for (const value of Object.values(HEADERS)) text = text.replaceAll(value, '***');
  return JSON.parse(text) as Ending;
}
