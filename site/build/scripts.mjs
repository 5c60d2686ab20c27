import { basename } from 'node:path';
import { build } from 'esbuild';

/** What the pages load, bundled from the folder: `files`, `[{ name, bytes }]`, and `names`, those that a page names itself. */
export async function scriptsOf(folder) {
  const shared = {
    absWorkingDir: folder,
    bundle: true,
    write: false,
    minify: true,
    // As those of the console.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    charset: 'utf8',
    tsconfigRaw: {},
  };
  // The theme is set before anything is drawn, so it is no module; the others wait.
  const [theme, guide, style] = await Promise.all([
    build({ ...shared, entryPoints: ['theme.ts'], format: 'iife' }),
    build({ ...shared, entryPoints: ['guide.ts'], format: 'esm', splitting: true }),
    build({ ...shared, entryPoints: ['styles/style.css'], entryNames: '[name]-[hash]', outbase: 'styles' }),
  ]);
  const files = [theme, guide, style].flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: Buffer.from(contents) })),
  );
  const named = (beginning) => files.find(({ name }) => name.startsWith(`${beginning}-`)).name;
  return { files, names: { theme: named('theme'), guide: named('guide'), style: named('style') } };
}
