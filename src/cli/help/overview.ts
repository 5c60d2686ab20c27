import { COMMAND_GROUPS, usageOf, type CommandGroup } from '../commands/command-groups.js';
import { wrappedWords } from './wrapped-words.js';

/** Blanks between a command and what it does. */
const GAP = 2;

/** What `flowgate --help` says: every command, by what somebody wants to do. */
export function overview(width: number): string {
  const usages = COMMAND_GROUPS.flatMap(({ commands }) =>
    commands.map((command) => `  flowgate ${usageOf(command)}`),
  );
  const column = Math.max(...usages.map((usage) => usage.length)) + GAP;
  return [
    'flowgate <command> [options]',
    '',
    'Workflows in YAML: check them, run them, serve them.',
    ...COMMAND_GROUPS.flatMap((group) => ['', ...groupLines(group, column, width)]),
    '',
    'Options:',
    `${'  --version'.padEnd(column)}Show version number`,
    `${'  -h, --help'.padEnd(column)}Show help, also of a command: flowgate start --help`,
    '',
    'Every command, option and exit code, with examples: docs/cli.md in the package.',
  ].join('\n');
}

function groupLines({ heading, commands }: CommandGroup, column: number, width: number): readonly string[] {
  const lines = commands.flatMap((command) => {
    const { describe, aliases = [] } = command;
    const other = aliases.length === 0 ? '' : `  [aliases: ${[aliases].flat().join(', ')}]`;
    const [first = '', ...more] = wrappedWords(`${describe}${other}`, { width: width - column });
    const indent = ' '.repeat(column);
    return [
      `${`  flowgate ${usageOf(command)}`.padEnd(column)}${first}`,
      ...more.map((line) => `${indent}${line}`),
    ];
  });
  return [`${heading}:`, ...lines];
}
