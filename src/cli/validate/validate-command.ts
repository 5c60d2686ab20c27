import type { Argv, CommandModule } from 'yargs';
import type { ValidateArguments } from './validate.js';

export const validateCommand: CommandModule<object, ValidateArguments> = {
  command: 'validate <files..>',
  describe: 'Say everything that is wrong in workflow documents, and where',
  builder: (args: Argv) =>
    args
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Documents, folders of them, or - for stdin',
      })
      .option('bind', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'uses=url: from then on a name that is neither bound nor built in is a fault',
      })
      .option('json', { type: 'boolean', describe: 'Answer in JSON' })
      .option('sarif', { type: 'boolean', describe: 'Answer in SARIF 2.1.0, for code scanners' })
      .conflicts('json', 'sarif')
      .example('$0 validate hello.yaml', 'Faults with their lines')
      .example('$0 validate --sarif workflows > faults.sarif', 'All documents of a folder')
      .example('cat hello.yaml | $0 validate -', 'What comes over a pipe'),
  handler: async (given) => {
    const { validate } = await import('./validate.js');
    process.exitCode = await validate(given);
  },
};
