import { nearNames } from '../errors/near-names.js';

/** The setting that could have been meant, if the slips are few enough: one in four letters, or two. */
export function nearName(name: string, names: readonly string[]): string | null {
  const [near = null] = nearNames(name, names, {
    slips: (letters) => Math.max(2, Math.floor(letters / 4)),
  });
  return near;
}
