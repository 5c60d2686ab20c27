// `npm run house`: how large the house is, and how long its paths are. With --check it fails where something has grown beyond
// what was reached (limits.json); whoever makes something smaller lowers the limit.
import { readFileSync } from 'node:fs';
import { counts } from './counts.mjs';
import { paths } from './paths.mjs';
import { wrongSteps } from './signposts.mjs';

const NAMES = {
  files: 'source files, tests apart',
  lines: 'lines written by hand',
  codeLines: 'of these neither blank nor comment',
  medianLines: 'lines of the median file',
  largeFiles: 'files of more than 300 lines',
  smallFiles: 'files of fewer than 25 lines',
  generatedLines: 'generated lines that are committed',
  exportedTypes: 'exported types',
  consoleFiles: 'source files of the console, tests apart',
  consoleLargeFiles: 'of these with more than 300 lines',
  fullFolders: 'folders of more than a dozen files',
  folderCircles: 'circles of folders side by side',
  storePorts: 'ports that a store consists of',
  portMethods: 'methods of the largest of them',
};
/** They say what the house is like; nothing is too much or too little of them. */
const TOLD_ONLY = new Set(['lines', 'medianLines', 'smallFiles']);

const limits = JSON.parse(readFileSync(new URL('limits.json', import.meta.url), 'utf8'));
const { figures, fullFolders, circles } = counts();
const found = await paths();
const lengths = Object.fromEntries(Object.entries(found).map(([name, files]) => [name, files.length]));

const broken = wrongSteps(found);
function row(name, what, value, limit) {
  const isBroken = limit !== undefined && value > limit;
  if (isBroken) broken.push(`${what}: ${value}, and ${limit} are the most`);
  process.stdout.write(
    `${String(value).padStart(7)}  ${(limit === undefined ? '' : `≤ ${limit}`).padEnd(9)} ${what}\n`,
  );
}
for (const [name, value] of Object.entries(figures)) {
  row(name, NAMES[name], value, TOLD_ONLY.has(name) ? undefined : limits[name]);
}
for (const [name, value] of Object.entries(lengths))
  row(name, `files on the path of: ${name}`, value, limits.paths[name]);
for (const [folder, count] of fullFolders) process.stdout.write(`         ${folder}: ${count} files\n`);
for (const circle of circles) process.stdout.write(`         circle: ${circle.join(', ')}\n`);
if (process.argv.includes('--files')) {
  for (const [name, files] of Object.entries(found))
    process.stdout.write(`\n${name}\n  ${files.join('\n  ')}\n`);
}
if (process.argv.includes('--check') && broken.length > 0) {
  process.stderr.write(
    `The house has grown, or its signposts point the wrong way:\n  ${broken.join('\n  ')}\n`,
  );
  process.exitCode = 1;
}
// What the service keeps open would keep this process.
process.exit();
