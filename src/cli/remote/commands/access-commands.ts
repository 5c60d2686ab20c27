import type { Argv, CommandModule } from 'yargs';
import type { AuditArguments } from '../access/audit.js';
import type { KeysArguments } from '../access/keys.js';
import type { WhoAmIArguments } from '../access/whoami.js';
import { ITEMS_AS_JSON, RECORD_AS_JSON, withLimit, withOutput } from '../server/server-options.js';

const ACTIONS = ['list', 'make', 'rotate', 'revoke'] as const;

export const whoamiCommand: CommandModule<object, WhoAmIArguments> = {
  command: 'whoami',
  describe: 'Say as whom commands call the server, and what they may do there',
  builder: (args: Argv) =>
    withOutput(args, RECORD_AS_JSON)
      .example('$0 whoami', 'With the key or token in FLOWGATE_TOKEN')
      .example('$0 whoami --token-file ~/.flowgate-key', 'With that of a file'),
  handler: async (given) => {
    const { whoami } = await import('../access/whoami.js');
    process.exitCode = await whoami(given);
  },
};

export const keysCommand: CommandModule<object, KeysArguments> = {
  command: 'keys [action] [keyId]',
  describe: 'List, make, rotate or revoke API keys',
  builder: (args: Argv) =>
    withLimit(withOutput(args, ITEMS_AS_JSON), 'How many to show')
      .positional('action', { choices: ACTIONS, default: 'list' as const, describe: 'What to do' })
      .positional('keyId', { type: 'string', describe: 'The key to rotate or to revoke' })
      .option('owner', {
        type: 'string',
        requiresArg: true,
        describe: 'list, make: whose keys. revoke: all that they have',
      })
      .option('name', { type: 'string', requiresArg: true, describe: 'make: for people to read' })
      .option('grant', {
        type: 'string',
        requiresArg: true,
        array: true,
        describe: 'make: namespace:roles, or namespace:roles:workflows, separated by commas',
      })
      .option('group', { type: 'string', requiresArg: true, array: true, describe: 'make: a group' })
      .option('expires', {
        type: 'string',
        requiresArg: true,
        describe: 'make: when it ends: a date, or in 1h, 90d',
      })
      .option('overlap', {
        type: 'string',
        requiresArg: true,
        describe: 'rotate: how long the old secret is still good, such as 1h',
      })
      .example('$0 keys', 'Which there are')
      .example('$0 keys make --grant billing:operator --expires 90d > ci.key', 'A key for a program')
      .example('$0 keys rotate <keyId> --overlap 1h > ci.key', 'Another secret for it')
      .example('$0 keys revoke <keyId>', 'It is good for nothing any more'),
  handler: async (given) => {
    const { keys } = await import('../access/keys.js');
    process.exitCode = await keys(given);
  },
};

export const auditCommand: CommandModule<object, AuditArguments> = {
  command: 'audit',
  describe: 'List who did what, newest first',
  builder: (args: Argv) =>
    withLimit(withOutput(args, ITEMS_AS_JSON), 'How many to show')
      .option('owner', { type: 'string', requiresArg: true, describe: 'What this account did' })
      .option('action', {
        type: 'string',
        requiresArg: true,
        describe: 'What was done, such as run.start or key.make',
      })
      .option('run', { type: 'string', requiresArg: true, describe: 'What was done to this run' })
      .option('after', {
        type: 'string',
        requiresArg: true,
        describe: 'Not before this time: a date, or 1h, 7d ago',
      })
      .option('before', { type: 'string', requiresArg: true, describe: 'Before this time, written alike' })
      .example('$0 audit --owner ada@example.com --after 7d', 'What she did this week')
      .example('$0 audit --json --limit 10000 > audit.ndjson', 'To keep'),
  handler: async (given) => {
    const { audit } = await import('../access/audit.js');
    process.exitCode = await audit(given);
  },
};
