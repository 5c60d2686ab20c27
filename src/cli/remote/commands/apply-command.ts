import type { Argv, CommandModule } from 'yargs';
import type { ApplyArguments } from '../apply.js';
import { withServer } from '../server/server-options.js';

export const applyCommand: CommandModule<object, ApplyArguments> = {
  command: 'apply [files..]',
  aliases: ['register'],
  describe: 'Register workflows at a server, or replace them',
  builder: (args: Argv) =>
    withServer(args, 'Answer in JSON')
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'Documents, folders of them, or - for stdin',
      })
      .option('file', {
        alias: 'f',
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'A document, a folder of them, or - for stdin; may be repeated',
      })
      .option('bind', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'uses=url: where a unit is called',
      })
      .example('$0 apply hello.yaml', 'With hello.bindings.json, where there is one')
      .example('$0 apply workflows --server https://flow.example.com', 'All documents of a folder'),
  handler: async (given) => {
    const { apply } = await import('../apply.js');
    process.exitCode = await apply(given);
  },
};
