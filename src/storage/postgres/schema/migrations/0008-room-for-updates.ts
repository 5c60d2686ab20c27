import type { Migration } from '../migration.js';

/**
 * A run's row is written anew with each append, mostly within moments of the one before. Where its page has room for that the new row
 * is in no index; at 80 % more than half of them went to other pages, and into six indexes each. What was replaced gives its room
 * back at the next look, so half a page suffices. Pages that are full already stay as they are.
 */
export const roomForUpdates: Migration = {
  version: 8,
  sql: `
    ALTER TABLE @.runs SET (fillfactor = 50);
  `,
};
