import type { Argv, CommandModule } from 'yargs';
import { ANSWERED_ONCE, SYNC_UNTIL } from '../../../engine/vocabulary.js';
import type { DecideArguments } from '../decide.js';
import type { DescribeArguments } from '../describe.js';
import type { GetArguments, ResumeArguments, StopArguments } from '../steer.js';
import type { StartArguments } from '../start.js';
import { aloneIsRun } from '../server/run-words.js';
import {
  RECORD_AS_JSON,
  RUN_WORDS,
  SHOWN_RUN as RUN,
  withOutput,
  withRun,
} from '../server/server-options.js';
import type { WatchArguments } from '../watch.js';

export const startCommand: CommandModule<object, StartArguments> = {
  command: 'start <workflowId>',
  describe: 'Start a run at a server',
  builder: (args: Argv) =>
    withOutput(args, RECORD_AS_JSON)
      .positional('workflowId', { type: 'string', demandOption: true, describe: 'A registered workflow' })
      .option('input', {
        type: 'string',
        requiresArg: true,
        describe: 'A JSON object, @file, or - for stdin',
      })
      .option('label', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'name:value, for lists to find it by; may be repeated',
      })
      .option('sync', { type: 'boolean', describe: 'Have the server answer once the run stops' })
      .option('until', {
        choices: SYNC_UNTIL,
        requiresArg: true,
        implies: 'sync',
        describe: 'With --sync: gate answers at an open gate, too',
      })
      .option('wait', { type: 'boolean', describe: 'Watch the run until it stops' })
      .conflicts('sync', 'wait')
      .option('key', {
        type: 'string',
        requiresArg: true,
        describe: 'Idempotency-Key: the same key starts one run',
      })
      .example('$0 start hello --input \'{"name": "Ada"}\'', 'Answers at once, with the runId')
      .example('$0 start hello --input @input.json --wait', 'Ends when the run stops, with its status'),
  handler: async (given) => {
    const { startRun } = await import('../start.js');
    process.exitCode = await startRun(given);
  },
};

export const getCommand: CommandModule<object, GetArguments> = {
  command: 'get [workflowId] <runId>',
  describe: 'Read the record of a run',
  builder: (args: Argv) => withRun(withOutput(args, RECORD_AS_JSON)).example(`$0 get ${RUN}`, 'Its record'),
  handler: async (given) => {
    const { get } = await import('../steer.js');
    process.exitCode = await get(given);
  },
};

export const describeCommand: CommandModule<object, DescribeArguments> = {
  command: 'describe <workflowId> [runId]',
  describe: 'Read all that is known of a run, and where it failed, or of a workflow',
  builder: (args: Argv) =>
    withOutput(args, RECORD_AS_JSON)
      .positional('workflowId', {
        type: 'string',
        demandOption: true,
        describe: 'A workflow, or the run itself: its id, or its last 8 characters',
      })
      .positional('runId', { type: 'string', describe: 'A run of the workflow' })
      .example('$0 describe hello', 'What is registered as hello')
      .example(`$0 describe ${RUN}`, 'How the run stands')
      .example(`$0 describe ${RUN} --json`, 'The same for programs'),
  handler: async (given) => {
    const { describe } = await import('../describe.js');
    process.exitCode = await describe(given);
  },
};

export const resumeCommand: CommandModule<object, ResumeArguments> = {
  command: 'resume [workflowId] <runId>',
  describe: 'Continue a paused run, or try a failed one again',
  builder: (args: Argv) =>
    withRun(withOutput(args, RECORD_AS_JSON))
      .option('checkpoint', {
        // The old name, which stays.
        alias: 'snapshot',
        type: 'string',
        requiresArg: true,
        describe: 'The checkpoint to go back to',
      })
      .option('max-tokens', {
        type: 'number',
        requiresArg: true,
        describe: 'What the whole run may use from now on',
      })
      .option('max-cost', { type: 'number', requiresArg: true, describe: 'What it may cost from now on' })
      .option('until', {
        choices: ANSWERED_ONCE,
        requiresArg: true,
        describe:
          'When it answers: at an open gate too, or once it is recorded; without it once the run stops',
      })
      .example(`$0 resume ${RUN}`, 'Goes on where it stopped')
      .example(`$0 resume ${RUN} --max-tokens 500000`, 'Goes on with a higher budget'),
  handler: async (given) => {
    const { resume } = await import('../steer.js');
    process.exitCode = await resume(given);
  },
};

export const cancelCommand = stopping('cancel', 'End a run, and have it clean up');
export const pauseCommand = stopping('pause', 'Pause a run until it is resumed');

export const compensateCommand = stopping('compensate', 'Try again what a run could not undo');

export const approveCommand = decision(
  'approve',
  'Approve at the gate where a run waits',
  '--comment "Fine by me"',
);
export const rejectCommand = decision('reject', 'Reject at the gate where a run waits', '--responder ann');

export const watchCommand: CommandModule<object, WatchArguments> = {
  command: 'watch [workflowId] [runId]',
  describe: 'Show what a run does until it ends, or what all runs do',
  builder: (args: Argv) =>
    withOutput(args, 'Events and, at the end, the record, each on a line of its own')
      .positional('workflowId', {
        type: 'string',
        describe: 'The workflow, or the run itself; without it all runs',
      })
      .positional('runId', { type: 'string', describe: 'Its run' })
      .option('until-paused', { type: 'boolean', describe: 'End also when the run pauses' })
      .example(`$0 watch ${RUN}`, 'A line for each thing that happens')
      .example(`$0 watch ${RUN} --json | jq .type`, 'For programs')
      .example('$0 watch', 'What all runs do from now on'),
  handler: async (given) => {
    const { watch } = await import('../watch.js');
    process.exitCode = await watch(given);
  },
};

function stopping(
  name: 'cancel' | 'pause' | 'compensate',
  describe: string,
): CommandModule<object, StopArguments> {
  return {
    command: `${name} [workflowId] <runId>`,
    describe,
    builder: (args: Argv) =>
      withRun(withOutput(args, RECORD_AS_JSON))
        .option('by', { type: 'string', requiresArg: true, default: 'cli', describe: 'Who asks for it' })
        .example(`$0 ${name} ${RUN} --by ann`, 'Answers once the run has stopped'),
    handler: async (given) => {
      const { stop } = await import('../steer.js');
      process.exitCode = await stop(given, name);
    },
  };
}

function decision(
  name: 'approve' | 'reject',
  describe: string,
  shown: string,
): CommandModule<object, DecideArguments> {
  return {
    command: `${name} [workflowId] [runId]`,
    describe,
    builder: (args: Argv) =>
      withOutput(args, RECORD_AS_JSON)
        .positional('workflowId', { type: 'string', describe: RUN_WORDS.workflow })
        .positional('runId', {
          type: 'string',
          describe: `${RUN_WORDS.run}; without it, on a terminal, the run that waits`,
        })
        .middleware((given) => aloneIsRun(given))
        .option('gate', { type: 'number', requiresArg: true, describe: 'Which gate, where several are open' })
        .option('comment', { type: 'string', requiresArg: true, describe: 'Kept with the decision' })
        .option('responder', { type: 'string', requiresArg: true, default: 'cli', describe: 'Who decides' })
        .option('until', {
          choices: ANSWERED_ONCE,
          requiresArg: true,
          describe:
            'When it answers: at an open gate too, or once it is recorded; without it once the run stops',
        })
        .example(`$0 ${name}`, 'The only gate that is open; of several it asks which')
        .example(`$0 ${name} 00000000 ${shown}`, 'A run by the end of its id'),
    handler: async (given) => {
      const { decide } = await import('../decide.js');
      process.exitCode = await decide(given, name === 'approve');
    },
  };
}
