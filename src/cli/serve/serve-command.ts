import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { SETTINGS } from '../../config/service/settings.js';

/** Each option stands for a setting of the environment, and overrides it. */
const OPTIONS = {
  host: { setting: 'host', describe: 'The address to listen on' },
  port: { setting: 'port', describe: 'The port to listen on; 0 takes a free one' },
  'data-dir': { setting: 'dataDir', describe: 'The folder of the SQLite store; one process owns it' },
  store: { setting: 'store', describe: 'sqlite, or memory: it forgets every run at the end' },
  registry: { setting: 'registry', describe: 'durable: workflows come back by themselves after a restart' },
  'workflows-dir': { setting: 'workflowsDir', describe: 'YAML files to register at the start' },
  'secrets-dir': { setting: 'secretsDir', describe: 'A folder with one file per secret' },
  'api-group': { setting: 'apiGroups', describe: 'Groups that apiVersion may name, separated by commas' },
  'log-level': { setting: 'logLevel', describe: 'silent, fatal, error, warn, info, debug or trace' },
} as const satisfies Record<string, { setting: keyof typeof SETTINGS; describe: string }>;

type ServeArguments = Partial<Record<keyof typeof OPTIONS, string>>;

export const serveCommand: CommandModule<object, ServeArguments> = {
  command: 'serve',
  describe: 'Serve workflows over HTTP and MCP, as npm start does',
  builder: (args: Argv): Argv<ServeArguments> => {
    for (const [name, { setting, describe }] of Object.entries(OPTIONS)) {
      args.option(name, {
        type: 'string',
        requiresArg: true,
        describe: `${describe} [${SETTINGS[setting].variable}]`,
      });
    }
    return args
      .example('$0 serve', 'On 127.0.0.1:8787, with runs kept in .flowgate')
      .example('$0 serve --port 0 --store memory', 'On a free port, for a try') as Argv<ServeArguments>;
  },
  handler: async (given) => {
    const environment = environmentWith(given);
    const { refuseOptions } = await import('./refuse-options.js');
    refuseOptions(environment, namesOf(given));
    const { serve } = await import('../../serve.js');
    await serve(environment);
  },
};

function environmentWith(given: ArgumentsCamelCase<ServeArguments>): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const [name, { setting }] of Object.entries(OPTIONS)) {
    const value = given[name];
    if (typeof value === 'string') environment[SETTINGS[setting].variable] = value;
  }
  return environment;
}

/** The variable of each option that is given, with the option's name. */
function namesOf(given: ArgumentsCamelCase<ServeArguments>): ReadonlyMap<string, string> {
  const names = Object.entries(OPTIONS).filter(([name]) => given[name] !== undefined);
  return new Map(names.map(([name, { setting }]) => [SETTINGS[setting].variable, `--${name}`]));
}
