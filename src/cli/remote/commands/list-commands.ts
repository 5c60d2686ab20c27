import type { Argv, CommandModule } from 'yargs';
import { PUBLISHED_ORIGINS, RUN_STATUSES } from '../../../engine/vocabulary.js';
import type { EventsArguments } from '../events.js';
import type { GatesArguments } from '../lists/gates.js';
import type { LogsArguments } from '../logs.js';
import type { RunsArguments } from '../lists/runs.js';
import type { WorkflowsArguments } from '../lists/workflows.js';
import {
  ITEMS_AS_JSON,
  SHOWN_RUN,
  withLimit,
  withOutput,
  withRun,
  withServer,
} from '../server/server-options.js';

export const workflowsCommand: CommandModule<object, WorkflowsArguments> = {
  command: 'workflows',
  aliases: ['list'],
  describe: 'List the workflows that are registered',
  builder: (args: Argv) =>
    withOutput(args, ITEMS_AS_JSON)
      .example('$0 workflows', 'What can be started')
      .example('$0 workflows --json | jq -r .workflowId', 'For programs'),
  handler: async (given) => {
    const { workflows } = await import('../lists/workflows.js');
    process.exitCode = await workflows(given);
  },
};

export const logsCommand: CommandModule<object, LogsArguments> = {
  command: 'logs [workflowId] <runId>',
  describe: 'Show what a run did, a line for each thing, with its time',
  builder: (args: Argv) =>
    withRun(withServer(args, 'The events, each on a line of JSON'))
      .option('tail', { type: 'number', requiresArg: true, describe: 'The last events alone, so many' })
      .option('follow', { type: 'boolean', describe: 'Show also what comes, until the run is over' })
      .example(`$0 logs ${SHOWN_RUN}`, 'All that it did')
      .example(`$0 logs ${SHOWN_RUN} --tail 20 --follow`, 'And what it does from now on'),
  handler: async (given) => {
    const { logs } = await import('../logs.js');
    process.exitCode = await logs(given);
  },
};

export const runsCommand: CommandModule<object, RunsArguments> = {
  command: 'runs',
  describe: 'Find runs, newest first',
  builder: (args: Argv) =>
    withLimit(withOutput(args, ITEMS_AS_JSON), 'How many to show')
      .option('workflow', { type: 'string', requiresArg: true, describe: 'Of this workflow' })
      .option('status', {
        type: 'string',
        requiresArg: true,
        describe: `In one of these, separated by commas: ${RUN_STATUSES.join(', ')}`,
      })
      .option('label', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'name:value, which they have; up to three',
      })
      .option('created-after', {
        type: 'string',
        requiresArg: true,
        describe: 'Not before this time: a date, or 1h, 7d ago',
      })
      .option('created-before', {
        type: 'string',
        requiresArg: true,
        describe: 'Before this time, written alike',
      })
      .option('open-gate', { type: 'boolean', describe: 'That wait for a decision' })
      .option('gate-unit', {
        type: 'string',
        requiresArg: true,
        describe: 'That wait at the gate of this unit',
      })
      .option('cancelled', { type: 'boolean', describe: 'That were cancelled; =false: that were not' })
      .option('origin', {
        type: 'string',
        requiresArg: true,
        describe: `Made by ${PUBLISHED_ORIGINS.slice(0, -1).join(', ')} or ${PUBLISHED_ORIGINS.at(-1)}`,
      })
      .option('forked-from', { type: 'string', requiresArg: true, describe: 'Forks of this run' })
      .option('parent', { type: 'string', requiresArg: true, describe: 'Children of this run' })
      .option('definition', { type: 'string', requiresArg: true, describe: 'Of the version with this hash' })
      .option('id', { type: 'string', requiresArg: true, describe: 'Whose ids begin with this' })
      .option('watch', { type: 'boolean', describe: 'Show also what becomes of them, until Ctrl-C' })
      .conflicts('watch', 'output')
      .example('$0 runs --status failed --created-after 24h', 'What failed since yesterday')
      .example('$0 runs --label team:blue --json | jq -r .runId', 'For programs'),
  handler: async (given) => {
    const { runs } = await import('../lists/runs.js');
    process.exitCode = await runs(given);
  },
};

export const gatesCommand: CommandModule<object, GatesArguments> = {
  command: 'gates',
  describe: 'List what waits for a decision, newest first',
  builder: (args: Argv) =>
    withLimit(withOutput(args, ITEMS_AS_JSON), 'How many to show')
      .option('workflow', { type: 'string', requiresArg: true, describe: 'Of this workflow' })
      .option('decided', { type: 'boolean', describe: 'Those that were decided instead' })
      .option('watch', { type: 'boolean', describe: 'Show also what becomes of them, until Ctrl-C' })
      .conflicts('watch', 'output')
      .example('$0 gates', 'Every gate that is open')
      .example('$0 gates --watch', 'And those that open from now on'),
  handler: async (given) => {
    const { gates } = await import('../lists/gates.js');
    process.exitCode = await gates(given);
  },
};

export const eventsCommand: CommandModule<object, EventsArguments> = {
  command: 'events [workflowId] <runId>',
  describe: 'Show what a run did, oldest first',
  builder: (args: Argv) =>
    withLimit(withRun(withOutput(args, ITEMS_AS_JSON)), 'How many to show')
      .option('after', { type: 'number', requiresArg: true, describe: 'After the event of this number' })
      .option('tail', { type: 'number', requiresArg: true, describe: 'So many of the last ones' })
      .conflicts('tail', 'after')
      .option('seq', { type: 'number', requiresArg: true, describe: 'The event of this number alone, whole' })
      .conflicts('seq', ['after', 'tail'])
      .option('log', { type: 'boolean', describe: "The log's own events, with their places" })
      .example(`$0 events ${SHOWN_RUN} --tail 20`, 'What it did last')
      .example(`$0 events ${SHOWN_RUN} --seq 7`, 'One event, with all of its values'),
  handler: async (given) => {
    const { events } = await import('../events.js');
    process.exitCode = await events(given);
  },
};
