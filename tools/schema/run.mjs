// npm run schema: makes the files that are built from the published schemas, and says which of them it made. Tests, builds and type
// checks begin with it; where all is up to date it only compares hashes.
import { fileURLToPath } from 'node:url';
import { makeGeneratedFiles } from './generated-files.mjs';

for (const path of await makeGeneratedFiles(fileURLToPath(new URL('../..', import.meta.url)))) {
  process.stdout.write(`Made ${path}.\n`);
}
