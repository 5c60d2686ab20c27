import type { Argv, CommandModule } from 'yargs';
import { SYNC_UNTIL } from '../../../engine/vocabulary.js';
import type { ForkArguments } from '../fork.js';
import { RECORD_AS_JSON, SHOWN_RUN, withRun, withOutput } from '../server/server-options.js';

const JSON_OBJECT = 'a JSON object, @file, or - for stdin';

export const forkCommand: CommandModule<object, ForkArguments> = {
  command: 'fork [workflowId] <runId>',
  describe: 'Try a run again from any point; the run itself stays as it is',
  builder: (args: Argv) =>
    withRun(withOutput(args, RECORD_AS_JSON))
      .option('checkpoint', {
        // The old name, which stays.
        alias: 'snapshot',
        type: 'string',
        requiresArg: true,
        describe: 'Begin after this checkpoint',
      })
      .option('unit', { type: 'string', requiresArg: true, describe: 'Begin just before this unit' })
      .conflicts('checkpoint', ['unit', 'occurrence'])
      .option('occurrence', {
        type: 'number',
        requiresArg: true,
        describe: 'Before which time it was scheduled; without it the first',
      })
      .option('input', { type: 'string', requiresArg: true, describe: `The run's input: ${JSON_OBJECT}` })
      .option('state', { type: 'string', requiresArg: true, describe: `Laid over the state: ${JSON_OBJECT}` })
      .option('unit-input', {
        type: 'string',
        requiresArg: true,
        describe: 'What the unit is given: JSON, @file, or - for stdin',
      })
      .option('current', { type: 'boolean', describe: 'Continue with the version that is registered now' })
      .option('label', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'name:value, for lists to find it by; may be repeated',
      })
      .option('sync', { type: 'boolean', describe: 'Have the server answer once the fork stops' })
      .option('until', {
        choices: SYNC_UNTIL,
        requiresArg: true,
        implies: 'sync',
        describe: 'With --sync: gate answers at an open gate, too',
      })
      .option('wait', { type: 'boolean', describe: 'Watch the fork until it stops' })
      .conflicts('sync', 'wait')
      .option('key', {
        type: 'string',
        requiresArg: true,
        describe: 'Idempotency-Key: the same key makes one fork',
      })
      .example(`$0 fork ${SHOWN_RUN} --unit greet --wait`, 'Has everything from greet on done again')
      .example(`$0 fork ${SHOWN_RUN} --input '{"name": "Bob"}'`, 'From the start, with another input'),
  handler: async (given) => {
    const { fork } = await import('../fork.js');
    process.exitCode = await fork(given);
  },
};
