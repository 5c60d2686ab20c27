import type { AccessBackend } from '../backend.js';
import type { WhoAmI } from '../types/access.js';
import { notFound } from './not-found.js';

/** Nobody is asked who they are, and everyone may do all that there is: as at a service without authentication. */
const ANYONE: WhoAmI = {
  auth: 'none',
  id: 'user',
  owner: null,
  name: null,
  groups: [],
  expiresAt: null,
  grants: [
    {
      namespace: 'default',
      permissions: [
        'run:read',
        'run:start',
        'run:steer',
        'run:fork',
        'run:export',
        'run:import',
        'workflow:read',
        'workflow:register',
        'gate:read',
        'gate:decide',
        'memory:read',
        'metrics:read',
      ],
      workflows: null,
    },
  ],
};

/** In process there is nobody to keep out. */
export class InProcessAccess implements AccessBackend {
  async whoami(): Promise<WhoAmI> {
    return structuredClone(ANYONE);
  }

  async makeKey(): Promise<never> {
    return noKeys();
  }

  async keys(): Promise<never> {
    return noKeys();
  }

  async rotateKey(): Promise<never> {
    return noKeys();
  }

  async revokeKey(): Promise<never> {
    return noKeys();
  }

  async revokeOwner(): Promise<never> {
    return noKeys();
  }

  async audit(): Promise<never> {
    return notFound('There is no audit in process: give the client the baseUrl of a service');
  }
}

function noKeys(): never {
  return notFound('There are no API keys in process: give the client the baseUrl of a service');
}
