import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Codes of errors at the start whose message says what to do. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'config',
  'missing-packages',
  'setup',
  'store',
  'sealed',
  'unreadable-event',
]);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs the service in this process until a signal ends it, for `npm start` and `flowgate serve`. Settings come from
 * the given environment. Resolves once the server listens; an error before that is printed, and ends the process with
 * 1.
 */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  await start(environment).catch(fail);
}

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const { readConfig } = await import('./config/service/read-config.js');
  const { isLoopback } = await import('./config/access/loopback.js');
  const { refuseMissingPeers } = await import('./config/service/missing-peers.js');
  const { config, warnings } = readConfig(environment);
  refuseMissingPeers(config);
  const { createService } = await import('./app.module.js');
  const { endOnSignal, shutDownOnSignal } = await import('./shut-down.js');
  const { giveBackWhenQuiet } = await import('./start-memory.js');
  const { Logger } = await import('@nestjs/common');

  const logger = new Logger('Flowgate');
  // A start may wait for its database, and take over runs, for a minute and more.
  const created = endOnSignal(logger);
  const app = await createService(config);
  created();
  shutDownOnSignal({ app, logger, config, fail });

  await app.init();
  const port = await listen(app.getHttpServer() as Server, config);
  for (const warning of warnings) logger.warn(warning);
  if (!isLoopback(config.host) && config.auth.includes('none')) {
    logger.warn(
      `HOST is ${config.host}: EVERYONE who can reach this address can register workflows, start runs and ` +
        'approve gates, because there is no authentication. Put a proxy with authentication in front, or listen on 127.0.0.1.',
    );
  }
  const address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const about = config.console ? ` (console: ${addressOfConsole(address)})` : '';
  logger.log(`Flowgate listens on ${address}${about}`);
  giveBackWhenQuiet();
}

/** Every address of the machine is none that a browser opens. */
function addressOfConsole(address: string): string {
  return `${address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//localhost:')}/console/`;
}

/** Returns the port that was taken. Nest's own `listen` would log a failure a second time. */
function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Prints one line for what an operator can correct, and the stack for a fault of ours. */
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
  // An exit waits for all threads, and so for a disk that does not respond.
  if (error instanceof Error && error.name === 'SilentDiskError') process.kill(process.pid, 'SIGKILL');
  process.exit(1);
}
