import type { Argv, CommandModule } from 'yargs';
import { RECORD_AS_JSON, SHOWN_RUN, withRun, withOutput, withServer } from '../server/server-options.js';
import type { ExportArguments, ImportArguments } from '../transfer.js';

export const exportCommand: CommandModule<object, ExportArguments> = {
  command: 'export [workflowId] <runId>',
  describe: 'Write down a run with all that it did, for import and replay',
  builder: (args: Argv) =>
    withRun(withServer(args, 'The export is JSON, a line for each event, in any case'))
      .option('out', { type: 'string', requiresArg: true, describe: 'A new file, in place of stdout' })
      .example(`$0 export ${SHOWN_RUN} --out run.ndjson`, 'Into a file'),
  handler: async (given) => {
    const { exportRun } = await import('../transfer.js');
    process.exitCode = await exportRun(given);
  },
};

export const importCommand: CommandModule<object, ImportArguments> = {
  command: 'import <file>',
  describe: 'Give a server a run that was exported: to look at, and to fork',
  builder: (args: Argv) =>
    withOutput(args, RECORD_AS_JSON)
      .positional('file', { type: 'string', demandOption: true, describe: 'The export, or - for stdin' })
      .example('$0 import run.ndjson --server https://flow.example.com', 'Elsewhere'),
  handler: async (given) => {
    const { importRun } = await import('../transfer.js');
    process.exitCode = await importRun(given);
  },
};
