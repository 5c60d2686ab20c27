import { tooOldFor } from './node-version.js';

/**
 * Imported before anything else by whatever a host imports: an entry that goes on on a Node that is too old ends in some
 * module that this Node does not have, which tells nobody what to do.
 */
const tooOld = tooOldFor(process.versions.node);
if (tooOld !== null) throw new Error(tooOld);
