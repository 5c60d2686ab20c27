import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The start of the service's process. Nothing is imported before the version of Node is known to be enough. */
const OLDEST_NODE = [22, 13] as const;
/** Codes of our errors at the start whose message says what to do. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['config', 'store', 'sealed', 'unreadable-event']);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

async function serve(): Promise<void> {
  const { readConfig } = await import('./config/read-config.js');
  const { isLoopback } = await import('./config/loopback.js');
  const { config, warnings } = readConfig(process.env);
  const { createService } = await import('./app.module.js');
  const { shutDownOnSignal } = await import('./shut-down.js');
  const { giveBackWhenQuiet } = await import('./start-memory.js');
  const { Logger } = await import('@nestjs/common');

  const app = await createService(config);
  const logger = new Logger('Flowgate');
  shutDownOnSignal({ app, logger, config, fail });

  await app.init();
  const port = await listen(app.getHttpServer() as Server, config);
  for (const warning of warnings) logger.warn(warning);
  if (!isLoopback(config.host)) {
    logger.warn(
      `HOST is ${config.host}: EVERYONE who can reach this address can register workflows, start runs and ` +
        'approve gates, because there is no authentication. Put a proxy with authentication in front, or listen on 127.0.0.1.',
    );
  }
  logger.log(
    `Flowgate listens on http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
  );
  giveBackWhenQuiet();
}

/** The port that was taken. Nest's own `listen` would log a failure a second time. */
function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** One line for what a person can put right; everything for a fault of ours. */
function fail(error: unknown): never {
  const { code, message = String(error), port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    say(`Port ${port} is in use: stop what listens there, or set PORT to another one.`);
  else if (code === 'EACCES' && port !== undefined)
    say(`Port ${port} needs more rights: set PORT to one above 1023.`);
  else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    say(`HOST is not an address of this machine: ${message}`);
  else if (code !== undefined && FOR_PEOPLE.has(code)) say(message);
  else say(error instanceof Error ? (error.stack ?? message) : message);
  // An exit waits for all threads, and so for a disk that does not answer.
  if (error instanceof Error && error.name === 'SilentDiskError') process.kill(process.pid, 'SIGKILL');
  process.exit(1);
}

if (isTooOld(process.versions.node)) {
  say(`Flowgate needs Node 22.13 or newer, and this is Node ${process.versions.node}: install a newer one.`);
  process.exitCode = 1;
} else {
  await serve().catch(fail);
}
