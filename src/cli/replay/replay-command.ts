import type { Argv, CommandModule } from 'yargs';
import type { ReplayArguments } from './replay.js';

export const replayCommand: CommandModule<object, ReplayArguments> = {
  command: 'replay <file>',
  describe: 'Go through an exported run with this version, and show where it would differ',
  builder: (args: Argv) =>
    args
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'What an export answered, or - for stdin',
      })
      .option('source', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'The export of the run that it is a fork of',
      })
      .option('json', { type: 'boolean', describe: 'Answer in JSON' })
      .example('$0 replay run.ndjson', 'Whether an upgrade would change what the run did')
      .example('$0 replay fork.ndjson --source run.ndjson', 'A run that was forked'),
  handler: async (given) => {
    const { replay } = await import('./replay.js');
    process.exitCode = await replay(given);
  },
};
