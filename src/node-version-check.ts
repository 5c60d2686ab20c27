import { tooOldFor } from './node-version.js';

/**
 * Imported first by every entry that a host imports: otherwise an entry on a Node that is too old would fail in some
 * module that this Node lacks, with a message that does not help.
 */
const tooOld = tooOldFor(process.versions.node);
if (tooOld !== null) throw new Error(tooOld);
