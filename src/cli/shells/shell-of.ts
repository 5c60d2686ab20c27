import { SHELLS, type Shell } from './shells.js';

/** The shell that somebody works in; bash, where the environment does not say. */
export function shellOf({ SHELL = '', ZSH_NAME = '' }: Readonly<Record<string, string | undefined>>): Shell {
  if (ZSH_NAME !== '') return 'zsh';
  return SHELLS.find((shell) => SHELL.includes(shell) && shell !== 'bash') ?? 'bash';
}
