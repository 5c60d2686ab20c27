import { SETTINGS } from '../../config/service/settings.js';
import { RunningProgram } from './child-process.js';

const HOST = '127.0.0.1';
const LISTENS_WITHIN_MS = 60_000;

export interface DevServer {
  readonly address: string;
  readonly program: RunningProgram;
}

/**
 * `flowgate serve` in a process of its own, with its data in `.flowgate` of the folder; null: it does not serve, and said why.
 * Throws the signal's reason, and leaves no process behind then.
 */
export async function startServer(
  port: number,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<DevServer | null> {
  const program = new RunningProgram({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'serve'],
    env: {
      [SETTINGS.host.variable]: HOST,
      [SETTINGS.port.variable]: String(port),
      [SETTINGS.dataDir.variable]: '.flowgate',
      [SETTINGS.store.variable]: 'sqlite',
      [SETTINGS.registry.variable]: 'durable',
      // Whoever saves a document registers it.
      [SETTINGS.workflowsDir.variable]: '',
      [SETTINGS.logLevel.variable]: process.env[SETTINGS.logLevel.variable] ?? 'warn',
    },
    say: (line) => say(`server | ${line}`),
  });
  let listens = false;
  try {
    const seconds = LISTENS_WITHIN_MS / 1_000;
    const onLong = (): void => say(`The server does not listen yet: it has ${seconds} s for that.`);
    listens = await program.listensOn(port, { withinMs: LISTENS_WITHIN_MS, signal, onLong });
  } finally {
    if (!listens) await program.stop();
  }
  return listens ? { address: `http://${HOST}:${port}`, program } : null;
}
