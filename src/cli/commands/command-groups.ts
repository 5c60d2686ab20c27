import type { CommandModule } from 'yargs';
import { completionCommand } from '../shells/completion-command.js';
import { devCommand } from '../dev/dev-command.js';
import { doctorCommand } from '../doctor/doctor-command.js';
import { initCommand } from '../init/init-command.js';
import { auditCommand, keysCommand, whoamiCommand } from '../remote/commands/access-commands.js';
import { applyCommand } from '../remote/commands/apply-command.js';
import { forkCommand } from '../remote/commands/fork-command.js';
import {
  eventsCommand,
  gatesCommand,
  logsCommand,
  runsCommand,
  workflowsCommand,
} from '../remote/commands/list-commands.js';
import {
  approveCommand,
  cancelCommand,
  compensateCommand,
  describeCommand,
  getCommand,
  pauseCommand,
  rejectCommand,
  resumeCommand,
  startCommand,
  watchCommand,
} from '../remote/commands/run-commands.js';
import { exportCommand, importCommand } from '../remote/commands/transfer-commands.js';
import { diffCommand, unregisterCommand, versionsCommand } from '../remote/commands/version-commands.js';
import { replayCommand } from '../replay/replay-command.js';
import { runCommand } from '../run/run-command.js';
import { serveCommand } from '../serve/serve-command.js';
import { validateCommand } from '../validate/validate-command.js';

/** Commands that somebody looks for together. */
export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly CommandModule[];
}

/** Every command, in the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  group('Here, without a server', [
    initCommand,
    devCommand,
    serveCommand,
    validateCommand,
    runCommand,
    replayCommand,
  ]),
  group('Workflows', [
    applyCommand,
    workflowsCommand,
    describeCommand,
    versionsCommand,
    diffCommand,
    unregisterCommand,
  ]),
  group('Runs', [
    startCommand,
    runsCommand,
    getCommand,
    watchCommand,
    logsCommand,
    eventsCommand,
    resumeCommand,
    pauseCommand,
    cancelCommand,
    compensateCommand,
    forkCommand,
    exportCommand,
    importCommand,
  ]),
  group('Gates', [gatesCommand, approveCommand, rejectCommand]),
  group('Access', [whoamiCommand, keysCommand, auditCommand]),
  group('Help', [doctorCommand, completionCommand]),
];

export const COMMANDS: readonly CommandModule[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** The names under which a command is known, its own first. */
export function namesOf({ command, aliases = [] }: CommandModule): readonly string[] {
  return [usageOf({ command }).replace(/ .*/, ''), ...aliases];
}

/** How a command is written, such as `get [workflowId] <runId>`. */
export function usageOf({ command }: Pick<CommandModule, 'command'>): string {
  return String(command);
}

/** Each command has arguments of its own, which nobody here looks at. */
function group(heading: string, commands: readonly unknown[]): CommandGroup {
  return { heading, commands: commands as readonly CommandModule[] };
}
