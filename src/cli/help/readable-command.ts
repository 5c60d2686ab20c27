import type { Argv, CommandModule } from 'yargs';
import { namesOf } from '../commands/command-groups.js';
import { pageOf } from './command-pages.js';
import { wrappedWords } from './wrapped-words.js';

type Example = readonly [command: string, description: string];
type Builder = (args: Argv) => unknown;

/**
 * A command whose help shows each example on a line of its own, which can be copied at any width, with what it does below it:
 * yargs puts both into columns, and breaks the command over them. The end of the help names the command's page.
 */
export function readableCommand(command: CommandModule, width: number): CommandModule {
  const build = command.builder as Builder;
  return {
    ...command,
    builder: (args: Argv) => {
      const examples: Example[] = [];
      const shown = Object.assign(args, {
        example: (example: string, description: string): Argv => {
          examples.push([example, description]);
          return args;
        },
      });
      build(shown);
      Reflect.deleteProperty(args, 'example');
      const [name = ''] = namesOf(command);
      return args.epilogue(
        `${exampleLines(examples, width).join('\n')}\n\nMore: ${pageOf(name)} in the package.`,
      );
    },
  };
}

function exampleLines(examples: readonly Example[], width: number): readonly string[] {
  const lines = examples.flatMap(([command, description]) => [
    // A line that ends so goes on for the shell, too.
    ...wrappedWords(command.replaceAll('$0', 'flowgate'), { width, indent: 2, hanging: 4, mark: ' \\' }),
    ...wrappedWords(description, { width, indent: 6 }),
  ]);
  return ['Examples:', ...lines];
}
