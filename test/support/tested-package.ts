/**
 * The package as it would be published, with the repository's packages as what is installed next to it: its folder, to link to
 * by its name. `global-setup.ts` builds it once, before the tests that start processes.
 */
export function testedPackage(): string {
  const folder = process.env['FLOWGATE_TESTED_PACKAGE'];
  if (folder !== undefined) return folder;
  throw new Error(
    'This test starts processes of the built package: run it with `npm run test:process` or `npm run test:cost`',
  );
}
