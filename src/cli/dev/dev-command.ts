import type { Argv, CommandModule } from 'yargs';
import type { DevArguments } from './dev.js';

export const devCommand: CommandModule<object, DevArguments> = {
  command: 'dev [files..]',
  describe: 'Serve the workflows of a folder while you write them, with their units',
  builder: (args: Argv) =>
    args
      .positional('files', {
        type: 'string',
        array: true,
        describe: 'Documents; without them those in workflows, or in this folder',
      })
      .option('port', {
        type: 'number',
        requiresArg: true,
        default: 8787,
        describe: 'The port to listen on; if it is taken, the next free one',
      })
      .example('$0 dev', 'Registers what you save, and reloads units; r runs with the last input')
      .example('$0 dev hello.yaml --port 9090', 'One document, on another port'),
  handler: async (given) => {
    const { dev } = await import('./dev.js');
    process.exitCode = await dev(given);
  },
};
