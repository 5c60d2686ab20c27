import type { Server } from 'node:http';
import { isLoopback } from '../../config/access/loopback.js';

/**
 * Whether only programs of this machine can connect to the server, once it listens. False for a socket file, which no
 * browser opens but a proxy may.
 */
export function listensOnLoopback(serverOf: () => Server): () => boolean {
  let isLocal: boolean | undefined;
  return () => (isLocal ??= isOnLoopback(serverOf()));
}

function isOnLoopback(server: Server): boolean {
  const address = server.address();
  return typeof address === 'object' && address !== null && isLoopback(address.address);
}
