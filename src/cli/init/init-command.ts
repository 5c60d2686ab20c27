import type { Argv, CommandModule } from 'yargs';
import type { InitArguments } from './init.js';

export const initCommand: CommandModule<object, InitArguments> = {
  command: 'init [folder]',
  describe: 'Begin a project: a workflow, a unit, its test, a compose file',
  builder: (args: Argv) =>
    args
      .positional('folder', {
        type: 'string',
        default: '.',
        describe: 'Where; without it the folder that you are in',
      })
      .option('python', { type: 'boolean', describe: 'The unit in Python' })
      .option('java', { type: 'boolean', describe: 'The unit in Java' })
      .conflicts('python', 'java')
      .example('$0 init shop', 'A project in the folder shop, its unit in TypeScript')
      .example('$0 init --python', 'In this folder; what is there already is left as it is'),
  handler: async (given) => {
    const { init } = await import('./init.js');
    process.exitCode = await init(given);
  },
};
