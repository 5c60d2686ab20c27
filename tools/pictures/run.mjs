// `npm run pictures`: draws every picture of the pages into docs/pictures. They share code with the console and the command line,
// whose modules Node alone does not load; the bundler does. With `-- --console` it takes the screens of the console as well.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const BUNDLE = resolve('.tmp/pictures/pictures.mjs');

await build({
  entryPoints: ['tools/pictures/pictures.ts'],
  outfile: BUNDLE,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
const { FOLDER, pictures } = await import(pathToFileURL(BUNDLE).href);

const drawn = pictures();
mkdirSync(FOLDER, { recursive: true });
for (const file of readdirSync(FOLDER, { recursive: true }))
  if (file.endsWith('.svg')) rmSync(join(FOLDER, file));
for (const [file, svg] of drawn) {
  mkdirSync(dirname(join(FOLDER, file)), { recursive: true });
  writeFileSync(join(FOLDER, file), svg);
}
process.stdout.write(`${drawn.size} pictures in ${FOLDER}\n`);

if (process.argv.includes('--console')) {
  const { takeScreens } = await import('./console.mjs');
  await takeScreens(FOLDER);
  process.stdout.write(`The screens of the console in ${FOLDER}/console\n`);
}
