import { createServer } from 'node:net';
import type { FlowgateConfig } from '../../../config/service/settings.js';
import { finding, ok, type Check } from '../check.js';

type Address = Pick<FlowgateConfig, 'host' | 'port'>;

/** Whether a service could listen. `isOurs`: whether what listens there already is Flowgate. */
export async function portCheck(
  { host, port }: Address,
  isOurs: (address: string) => Promise<boolean>,
): Promise<Check> {
  if (port === 0) return ok('port', 'A free one is taken');
  const fault = await faultOfListening({ host, port });
  if (fault === null) return ok('port', `${port} is free on ${host}`);
  if (fault === 'EADDRINUSE') {
    if (await isOurs(urlOf({ host, port }))) return ok('port', `Flowgate listens on ${port}`);
    return finding(
      'port',
      `Port ${port} is in use.`,
      'Stop what listens there, or name another one: PORT, or `flowgate serve --port`.',
    );
  }
  if (fault === 'EACCES')
    return finding(
      'port',
      `Port ${port} needs more rights.`,
      'Name one above 1023: PORT, or `flowgate serve --port`.',
    );
  return finding(
    'port',
    `HOST is ${JSON.stringify(host)}, which is no address of this machine (${fault}).`,
    'Name one that is: HOST, or `flowgate serve --host`.',
  );
}

/** The code of the system's error; null: there is none. What is listened on is given back. */
function faultOfListening({ host, port }: Address): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

function urlOf({ host, port }: Address): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
