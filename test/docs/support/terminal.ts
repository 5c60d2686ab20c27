import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A shell as somebody sits before it: what is pasted is run, and stays in effect for what comes later. */
export interface Terminal {
  /** What the shell and its commands complained about so far. */
  readonly complaints: readonly string[];
  /** Pastes a block and resolves with what it prints and how its last command ended. */
  paste(block: string): Promise<{ readonly output: string; readonly code: number }>;
  /** Pastes a block that runs until Ctrl+C. */
  leaveRunning(block: string): void;
  /** Resolves once that was printed; rejects when the shell ends before. */
  says(text: string): Promise<void>;
  /** Ctrl+C, as a terminal sends it to all that runs in it, and the end of the shell. */
  close(): Promise<void>;
}

const DONE = 'the-block-is-done';

/** What an interactive bash says of itself where no terminal is, and of what it starts and ends in the background. */
const NO_COMPLAINT = /^(bash: (cannot set terminal process group|no job control).*|\[\d+\].*|exit)?$/;

/**
 * An interactive bash, so that also what only an interactive shell does, such as the expansion of `!`, is done to what is
 * pasted. It leads a group of processes: what it leaves running ends with it.
 */
export function openTerminal(folder: string, environment: NodeJS.ProcessEnv): Terminal {
  const shell = spawn('bash', ['--noprofile', '--norc', '--noediting', '-i'], {
    cwd: folder,
    env: { ...environment, HISTFILE: '', PS1: '', PS2: '' },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(shell, 'close');
  let printed = '';
  let complained = '';
  const changes = new EventTarget();
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    changes.dispatchEvent(new Event('change'));
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      if (shell.exitCode !== null || shell.signalCode !== null)
        throw new Error(`The shell ended: ${printed}${complained}`);
      await Promise.race([once(changes, 'change'), ended]);
    }
  };

  return {
    get complaints() {
      return complained.split('\n').filter((line) => !NO_COMPLAINT.test(line));
    },
    async paste(block) {
      const from = printed.length;
      const done = new RegExp(`\\n${DONE} (\\d+)\\n`);
      shell.stdin.write(`${block}\nprintf '\\n${DONE} %s\\n' $?\n`);
      await until(() => done.test(printed.slice(from)));
      const said = printed.slice(from);
      return { output: said.slice(0, done.exec(said)?.index), code: Number(done.exec(said)?.[1]) };
    },
    leaveRunning(block) {
      shell.stdin.write(`${block}\n`);
    },
    says: (text) => until(() => printed.includes(text)),
    async close() {
      signalGroup(shell.pid, 'SIGINT');
      shell.stdin.end();
      await ended;
      signalGroup(shell.pid, 'SIGKILL');
    },
  };
}

/** Nobody may be left in it. */
function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
