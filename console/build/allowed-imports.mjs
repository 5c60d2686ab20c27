// What the console may be made of. dependency-cruiser, which holds the other sources to their rows, reads no JSX; esbuild knows exactly.
const ALLOWED = [
  // What the build itself fills in.
  /^<define:/,
  /^src\//,
  // By the client, it asks the service as others do.
  /^\.\.\/clients\/typescript\/dist\//,
  // How the client makes keys of its own, which the console makes one of before it asks.
  /^\.\.\/clients\/typescript\/src\/calls\/idempotency-key\.ts$/,
  // Wherever the packages are: their folder may be a link.
  /^(?:\.\.\/)+(?:[^.].*\/)?node_modules\/(?:@codemirror|@dagrejs|@lezer|@marijn|@preact|crelt|diff|preact|style-mod|w3c-keyname|yaml)\//,
  // What of the service runs in browsers as well: the reader of documents, and paths of nodes.
  /^\.\.\/src\/engine\/language\/reader\//,
  // The names of the units that the service brings, and of their settings.
  /^\.\.\/src\/engine\/language\/builtins\.ts$/,
  /^\.\.\/src\/engine\/core\/(?:json|plan\/node-path|log\/event-base)\.ts$/,
  /^\.\.\/src\/errors\//,
];

/** Sentences about files in these builds that the console may not import. */
export function foreignImports(builds) {
  const inputs = new Set(builds.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
  return [...inputs]
    .filter((path) => !path.startsWith('<define:') && !ALLOWED.some((pattern) => pattern.test(path)))
    .map((path) => `${path} is imported, and console/build/allowed-imports.mjs does not name it`);
}
