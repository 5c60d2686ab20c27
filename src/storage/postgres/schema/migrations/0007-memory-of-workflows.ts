import type { Migration } from '../migration.js';

/**
 * Which workflow an entry of the memory is of, by which searches find those that are shown. Null: it was put by a version that did not
 * say so, and its words do not yet; both are filled in from the first search that needs them on (`fill-workflows.ts`).
 */
export const memoryOfWorkflows: Migration = {
  version: 7,
  sql: `
    ALTER TABLE @.memory_entries ADD COLUMN workflow_id text COLLATE "C";
    CREATE INDEX memory_entries_of_workflow ON @.memory_entries (namespace, workflow_id, number);
    CREATE INDEX memory_entries_without_workflow ON @.memory_entries (id) WHERE workflow_id IS NULL;
  `,
};
