import { createServer } from 'node:net';
import { UsageError } from '../command-errors.js';

const HIGHEST = 65_535;
/** How many ports are tried: where all of them are taken, something else is wrong. */
const MAX_TRIES = 50;

/** The first port from the wanted one on that nothing listens on. Throws a `UsageError` where there is none nearby. */
export async function freePortFrom(wanted: number): Promise<number> {
  if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > HIGHEST)
    throw new UsageError(`--port must be a whole number from 1 to ${HIGHEST}.`);
  const last = Math.min(HIGHEST, wanted + MAX_TRIES - 1);
  for (let port = wanted; port <= last; port++) if (await isFree(port)) return port;
  throw new UsageError(`The ports from ${wanted} to ${last} are taken: name another one with --port.`);
}

/** Any port that is free. */
export function anyFreePort(): Promise<number> {
  return listening(0);
}

function isFree(port: number): Promise<boolean> {
  return listening(port).then(
    () => true,
    () => false,
  );
}

/** Listens for a moment, and returns the port. */
function listening(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
