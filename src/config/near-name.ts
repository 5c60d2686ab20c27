import { nearNames } from '../errors/near-names.js';

/** The setting that was probably meant, if there are few enough typos: one in four letters, or two. */
export function nearName(name: string, names: readonly string[]): string | null {
  const [near = null] = nearNames(name, names, {
    typos: (letters) => Math.max(2, Math.floor(letters / 4)),
  });
  return near;
}
