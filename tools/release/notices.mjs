// `npm run notices` writes THIRD-PARTY-NOTICES: what the files that we ship contain of others, with their licences. `-- --check` fails
// where the file is not what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages, licenceTextOf } from './shipped.mjs';

const FILE = 'THIRD-PARTY-NOTICES';
const HEAD = `Flowgate contains software of others. The console (dist/console) is built from the packages below, under the licences that follow
each of them. The guide (dist/docs-guide, in the image alone) contains MiniSearch. The page at /docs (dist/docs-page) is swagger-ui; its licence and notices lie beside it. What is installed with the
package, or stands in the image, brings its licence in its own folder of node_modules.
`;

const text = [HEAD, ...bundledPackages().map(noticeOf)].join(`\n${'-'.repeat(80)}\n\n`);

if (process.argv[2] === '--check') {
  let kept = '';
  try {
    kept = readFileSync(FILE, 'utf8');
  } catch {
    // It is missing, and so not what would be written.
  }
  if (kept !== text) {
    process.stderr.write(`${FILE} is not up to date: run \`npm run notices\` and commit it.\n`);
    process.exit(1);
  }
} else writeFileSync(FILE, text);

function noticeOf(shipped) {
  const { name, version, licence } = shipped;
  return `${name} ${version} (${licence})\n\n${licenceTextOf(shipped) ?? `Its package has no licence file; the licence is ${licence}.`}\n`;
}
