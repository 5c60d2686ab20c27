// boot.js says that another file is missing, so it needs none: all that it imports, it imports while it runs.

/** Sentences about what boot.js cannot do without. `outputs` are esbuild's, `nameOf` gives the name of one's path. */
export function bootImports(outputs, nameOf) {
  const boot = Object.entries(outputs).find(([path]) => nameOf(path) === 'boot.js');
  return (boot?.[1].imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `boot.js needs ${nameOf(path)}, and could not say that it is missing`);
}
