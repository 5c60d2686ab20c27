// Packs both packages as they would be published into .tmp/package/flowgate.tgz and flowgate-client.tgz, for the checks
// that read them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve('.tmp', 'package');
const PACKAGES = [
  { name: 'flowgate', from: '.', built: 'dist/index.js' },
  { name: 'flowgate-client', from: 'clients/typescript', built: 'dist/esm/index.d.ts' },
];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { name, from, built } of PACKAGES) {
  if (!existsSync(join(from, built))) {
    process.stderr.write(`${join(from, built)} is missing: run \`npm run build\` first.\n`);
    process.exit(1);
  }
  const flags = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(
    execFileSync('npm', flags, { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  renameSync(join(folder, packed.filename), join(folder, `${name}.tgz`));
  process.stdout.write(
    `Packed ${packed.entryCount} files of ${name}, ${Math.round(packed.size / 1024)} KiB.\n`,
  );
}
