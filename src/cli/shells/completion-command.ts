import type { Argv, CommandModule } from 'yargs';
import { SHELLS, type Shell } from './shells.js';

export interface CompletionArguments {
  readonly shell?: Shell | undefined;
}

export const completionCommand: CommandModule<object, CompletionArguments> = {
  command: 'completion [shell]',
  describe: 'Print a script that completes commands, options, ids and values in bash, zsh or fish',
  builder: (args: Argv) =>
    args
      .positional('shell', { choices: SHELLS, describe: 'Without it the one that SHELL names' })
      .example('source <($0 completion bash)', 'In ~/.bashrc')
      .example('source <($0 completion zsh)', 'In ~/.zshrc, below compinit')
      .example('$0 completion fish > ~/.config/fish/completions/flowgate.fish', 'Once'),
  handler: async ({ shell }) => {
    const { completionScript } = await import('./scripts.js');
    const { print } = await import('../terminal/output.js');
    const { shellOf } = await import('./shell-of.js');
    await print(completionScript(shell ?? shellOf(process.env)));
  },
};
