// Builds, then starts the service; Node's own --watch-path runs this file again after every change in src/.
// `nest start --watch` cannot do it: it needs the compiler API that TypeScript 7.0 does not have (decision 0004).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const schemas = spawnSync('node', ['tools/schema/run.mjs'], { stdio: 'inherit' });
// The command line imports the client as a package; nothing in src/ changes it but what reads documents.
const client = existsSync('clients/typescript/dist/esm/index.d.ts')
  ? { status: 0 }
  : spawnSync('node', ['clients/typescript/build.mjs'], { stdio: 'inherit' });
const build = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if ([schemas, client, build].every(({ status }) => status === 0)) await import('../dist/main.js');
else process.stderr.write('The build failed; the next change in src/ tries again.\n');
