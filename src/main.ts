import { tooOldFor } from './node-version.js';

/** The start of the service's process. Nothing else is imported before the version of Node is known to be enough. */
const tooOld = tooOldFor(process.versions.node);
if (tooOld === null) {
  const { serve } = await import('./serve.js');
  await serve(process.env);
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 1;
}
