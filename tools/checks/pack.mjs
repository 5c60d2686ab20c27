// Packs the package as it would be published into .tmp/package/flowgate.tgz, for the checks that read it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join('.tmp', 'package');

if (!existsSync('dist/index.js')) {
  process.stderr.write('dist/index.js is missing: run `npm run build` first.\n');
  process.exit(1);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
);
renameSync(join(folder, packed.filename), join(folder, 'flowgate.tgz'));
process.stdout.write(`Packed ${packed.entryCount} files, ${Math.round(packed.size / 1024)} KiB.\n`);
