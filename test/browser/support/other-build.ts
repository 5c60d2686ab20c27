import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConsoleFiles } from '../../../src/console/console-files.js';
import { ConsoleController } from '../../../src/console/console.controller.js';
import type { Service } from '../../support/service.js';

const BUILT = new URL('../../../dist/console/', import.meta.url);
const HASHED = /-([A-Z0-9]{8})\.(?:js|css)$/;

/** The console of another build: all of it, under other names. */
export interface OtherBuild {
  /** Has the service serve it. */
  serveBy(service: Service): void;
  remove(): Promise<void>;
}

export async function otherBuild(): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'flowgate-build-'));
  await cp(BUILT, folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) });
  const names = (await readdir(folder)).filter((name) => /\.(?:html|js|css)$/.test(name));
  const hashes = names.flatMap((name) => HASHED.exec(name)?.[1] ?? []);
  // The same letters the other way round: no other file has such a name.
  const other = (text: string): string =>
    hashes.reduce((changed, hash) => changed.replaceAll(hash, [...hash].toReversed().join('')), text);
  for (const name of names) {
    const path = join(folder, name);
    await writeFile(path, other(await readFile(path, 'utf8')));
    await rename(path, join(folder, other(name)));
  }
  return {
    serveBy({ app }) {
      const files = new ConsoleFiles(pathToFileURL(`${folder}/`));
      Object.assign(app.get(ConsoleController, { strict: false }), { files });
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
