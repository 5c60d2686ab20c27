import { nearNames } from '../errors/near-names.js';

/** Words that people know from other tools, and what they are here. */
const COMMANDS: Readonly<Record<string, string>> = {
  add: 'apply',
  abort: 'cancel',
  create: 'apply',
  decide: 'approve',
  deploy: 'apply',
  deny: 'reject',
  history: 'events',
  inspect: 'describe',
  key: 'keys',
  kill: 'cancel',
  login: 'whoami',
  ls: 'workflows',
  ps: 'runs',
  register: 'apply',
  remove: 'unregister',
  restart: 'resume',
  retry: 'resume',
  rm: 'unregister',
  server: 'serve',
  show: 'describe',
  status: 'describe',
  stop: 'cancel',
  tail: 'logs',
  undo: 'compensate',
  up: 'serve',
  workflow: 'workflows',
};
const OPTIONS: Readonly<Record<string, string>> = {
  inputs: 'input',
  data: 'input',
  labels: 'label',
  state: 'status',
  since: 'created-after',
  until: 'created-before',
  format: 'output',
  name: 'responder',
  url: 'server',
  host: 'server',
  children: 'parent',
  follow: 'watch',
};

/** The command that was probably meant; null: none comes near. */
export function meantCommand(word: string, commands: readonly string[]): string | null {
  return meant(word, commands, COMMANDS);
}

/** The option of the command that was probably meant, without its dashes; null: none comes near. */
export function meantOption(word: string, options: readonly string[]): string | null {
  return meant(word, options, OPTIONS);
}

function meant(word: string, known: readonly string[], elsewhere: Readonly<Record<string, string>>) {
  const lower = word.toLowerCase();
  const here = new Map(known.map((name) => [name, name]));
  for (const [other, ours] of Object.entries(elsewhere))
    if (here.has(ours) && !here.has(other)) here.set(other, ours);
  const typos = (letters: number): number => Math.max(1, Math.floor(letters / 3));
  const [near = ''] = here.has(lower) ? [lower] : nearNames(word, here.keys(), { typos });
  return here.get(near) ?? null;
}
