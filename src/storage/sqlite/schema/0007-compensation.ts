import type { Migration } from './migration.js';

/** What became of what a run did and other units undo, for lists: JSON. Null: nothing, or it ended before this was kept. */
export const compensation: Migration = {
  version: 7,
  sql: `
    ALTER TABLE runs ADD COLUMN compensation TEXT;
  `,
};
