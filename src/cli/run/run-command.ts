import type { Argv, CommandModule } from 'yargs';
import type { RunArguments } from './run-workflow.js';

export const runCommand: CommandModule<object, RunArguments> = {
  command: 'run <file>',
  describe: 'Run a workflow here, without a server, and show what its units do',
  builder: (args: Argv) =>
    args
      .positional('file', { type: 'string', demandOption: true, describe: 'The document, or - for stdin' })
      .option('input', {
        type: 'string',
        requiresArg: true,
        describe: 'A JSON object, @file, or - for stdin',
      })
      .option('bind', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'uses=url: where a unit is called',
      })
      .option('approve', { type: 'boolean', describe: 'Approve at every gate' })
      .option('reject', { type: 'boolean', describe: 'Reject at every gate' })
      .conflicts('approve', 'reject')
      .option('responder', {
        type: 'string',
        requiresArg: true,
        default: 'cli',
        describe: 'Who decides at gates',
      })
      .option('pretty', { type: 'boolean', describe: 'The record over several lines, as on a terminal' })
      .option('quiet', { type: 'boolean', describe: 'Show nothing but the record' })
      .example('$0 run hello.yaml --input \'{"name": "Ada"}\'', 'Units as they go, the record at the end')
      .example('$0 run hello.yaml --bind demo.greet=http://127.0.0.1:9000/', 'A unit that is elsewhere')
      .example('$0 run hello.yaml --approve > record.json', 'Without anybody at the terminal'),
  handler: async (given) => {
    const { runWorkflow } = await import('./run-workflow.js');
    process.exitCode = await runWorkflow(given);
  },
};
