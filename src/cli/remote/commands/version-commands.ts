import type { Argv, CommandModule } from 'yargs';
import { ITEMS_AS_JSON, withLimit, withOutput, withServer } from '../server/server-options.js';
import type { DiffArguments, RemoveArguments, VersionsArguments } from '../versions.js';

export const versionsCommand: CommandModule<object, VersionsArguments> = {
  command: 'versions <workflowId>',
  describe: 'List the versions of a workflow, newest first, or show one',
  builder: (args: Argv) =>
    withLimit(withOutput(args, ITEMS_AS_JSON), 'How many to show')
      .positional('workflowId', { type: 'string', demandOption: true, describe: 'The workflow' })
      .option('hash', { type: 'string', requiresArg: true, describe: 'Show the document of this version' })
      .example('$0 versions hello', 'Which there are'),
  handler: async (given) => {
    const { versions } = await import('../versions.js');
    process.exitCode = await versions(given);
  },
};

export const unregisterCommand: CommandModule<object, RemoveArguments> = {
  command: 'unregister <workflowId>',
  aliases: ['delete'],
  describe: 'Unregister a workflow; its runs continue',
  builder: (args: Argv) =>
    withServer(args, 'Without effect: nothing is printed')
      .positional('workflowId', { type: 'string', demandOption: true, describe: 'A registered workflow' })
      .example('$0 unregister hello', 'Later starts do not find it'),
  handler: async (given) => {
    const { remove } = await import('../versions.js');
    process.exitCode = await remove(given);
  },
};

export const diffCommand: CommandModule<object, DiffArguments> = {
  command: 'diff <workflowId> [from] [to]',
  describe: 'Compare two versions of a workflow',
  builder: (args: Argv) =>
    withServer(args, 'The text and the units on one line')
      .positional('workflowId', { type: 'string', demandOption: true, describe: 'The workflow' })
      .positional('from', { type: 'string', describe: 'A hash; without it the version before' })
      .positional('to', { type: 'string', describe: 'A hash; without it the current version' })
      .example('$0 diff hello', 'What was changed last'),
  handler: async (given) => {
    const { diff } = await import('../versions.js');
    process.exitCode = await diff(given);
  },
};
