import type { RequestFault } from '../../errors/request-errors.js';

/** Says what is wrong with a field that is not read, to follow its name; null: nothing is, and it is ignored. */
export type RefuseField = (name: string) => string | null;

/** No error names more of them. */
const MAX_REFUSED = 100;
const SHOWN_CHARACTERS = 100;
const PLAIN_NAME = /^[\w-]{1,100}$/;

/**
 * The fields of `given` that are neither read nor named already, and that `refuse` refuses; a null is as good as nothing.
 */
export function refusedFields(
  given: object,
  { known, named }: { readonly known: readonly string[]; readonly named: readonly RequestFault[] },
  refuse: RefuseField,
): readonly RequestFault[] {
  const left = new Set([...known, ...named.map(({ path }) => path)]);
  const faults: RequestFault[] = [];
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (left.has(name) || value === null || value === undefined) continue;
    const fault = refuse(name);
    if (fault === null) continue;
    const short = name.slice(0, SHOWN_CHARACTERS);
    faults.push({ path: short, message: `${PLAIN_NAME.test(name) ? name : JSON.stringify(short)} ${fault}` });
    if (faults.length === MAX_REFUSED) break;
  }
  return faults;
}
