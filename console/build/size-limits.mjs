// What the console may weigh, gzipped, in bytes: a phone on a bad line waits for it.
const KB = 1_000;
const INITIAL = 60 * KB;
const STYLE = 12 * KB;
const RUN = 40 * KB;
const EDITOR = 190 * KB;
const ALL = 350 * KB;

/** Sentences about what is larger than it may be. `outputs` are esbuild's, `nameOf` gives the name of one's path. */
export function tooLarge(files, outputs, nameOf) {
  const sizes = new Map(files.map(({ name, gz }) => [name, gz.length]));
  const named = new Map(Object.entries(outputs).map(([path, output]) => [nameOf(path), output]));
  const sum = (names) => [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const initial = new Set(['boot.js', ...withImports('app', named, nameOf)]);
  const screen = (entry) => [...withImports(entry, named, nameOf)].filter((name) => !initial.has(name));
  const reader = [...sizes.keys()].filter((name) => name.startsWith('reader-worker-'));
  const rows = [
    ['The scripts of the first screen', sum(initial), INITIAL],
    ['The style sheets', sum([...sizes.keys()].filter((name) => name.endsWith('.css'))), STYLE],
    ['The screen of a run', sum(screen('run-screen')), RUN],
    ['The editor, with the reader', sum([...screen('editor-screen'), ...reader]), EDITOR],
    ['All of it', sum(sizes.keys()), ALL],
  ];
  return rows
    .filter(([, size, most]) => size > most)
    .map(([what, size, most]) => `${what}: ${size} bytes, and ${most} are the most`);
}

/** The modules that the first screen is made of, next to boot.js. `outputs` are esbuild's, `nameOf` gives the name of one's path. */
export function firstModules(outputs, nameOf) {
  const named = new Map(Object.entries(outputs).map(([path, output]) => [nameOf(path), output]));
  return [...withImports('app', named, nameOf)];
}

/** The file that is made of the entry of that name, and those that it imports at once. */
function withImports(entry, outputs, nameOf) {
  const names = new Set([...outputs.keys()].filter((name) => name.startsWith(`${entry}-`)));
  for (const name of names) {
    for (const { path, kind } of outputs.get(name)?.imports ?? [])
      if (kind === 'import-statement') names.add(nameOf(path));
  }
  return names;
}
