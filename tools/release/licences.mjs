import { bundledPackages, installedPackages } from './shipped.mjs';

/** May be shipped with a package under Apache-2.0, and asks of its users no more than a notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  '(Apache-2.0 AND BSD-3-Clause)',
]);

/** Manifests that say it in a way of their own: what their licence files say. */
const SAID_ELSEWHERE = { busboy: 'MIT', streamsearch: 'MIT' };

/** A sentence for each shipped package whose licence is not allowed, or not known. */
export function licenceFaults() {
  return [...installedPackages(), ...bundledPackages()]
    .map(({ name, version, licence }) => ({
      name,
      version,
      licence: licence ?? SAID_ELSEWHERE[name] ?? null,
    }))
    .filter(({ licence }) => !ALLOWED.has(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is under ${licence ?? 'a licence that its manifest does not name'}.`,
    );
}
