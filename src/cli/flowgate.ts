#!/usr/bin/env node
import { tooOldFor } from '../node-version.js';

/** The command line. Nothing else is imported before the version of Node is known to be enough. */
const tooOld = tooOldFor(process.versions.node);
if (tooOld === null) {
  const { runCommandLine } = await import('./command-line.js');
  await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write(`${tooOld}\n`);
  process.exitCode = 1;
}
