// Runs programs quietly: what one says is shown when it fails. Each has a bound on time and is ended with all that it started.
import { spawn } from 'node:child_process';

const SHOWN_BYTES = 64 * 1024;
const running = new Set();

/** Ends what runs, with all that it started. */
function endAll() {
  for (const { pid } of running) end(pid);
}
process.once('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** What it printed. Rejects with a sentence, and the end of what it said, when it fails or takes too long. */
export function run(command, args, { withinMs, cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    let said = '';
    let isLate = false;
    const take = (chunk) => (said = (said + chunk.toString()).slice(-SHOWN_BYTES));
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const timer = setTimeout(() => {
      isLate = true;
      end(child.pid);
    }, withinMs);
    const over = (why) => {
      clearTimeout(timer);
      running.delete(child);
      if (why === null) resolve(said);
      else reject(new Error(`${said}\n\`${[command, ...args].join(' ')}\` ${why}.`));
    };
    child.once('error', (error) => over(`cannot be started: ${error.message}`));
    child.once('close', (code, signal) => {
      if (isLate) over(`took more than ${withinMs / 1_000} s and was ended`);
      else over(code === 0 ? null : `ended with ${code ?? signal}`);
    });
  });
}

function end(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
