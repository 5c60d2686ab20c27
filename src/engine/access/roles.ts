import type { Roles } from '../ports/access/principal.js';
import { PERMISSIONS, type Permission } from '../vocabulary.js';

const VIEWER: readonly Permission[] = ['run:read', 'workflow:read', 'gate:read', 'memory:read'];

/** The roles that there are without an access file. */
export const BUILT_IN_ROLES: Roles = new Map<string, readonly Permission[]>([
  ['viewer', VIEWER],
  ['operator', [...VIEWER, 'run:start', 'run:steer', 'run:fork']],
  ['author', [...VIEWER, 'workflow:register']],
  ['approver', [...VIEWER, 'gate:decide']],
  ['auditor', [...VIEWER, 'audit:read', 'run:export']],
  ['metrics', ['metrics:read']],
  ['admin', PERMISSIONS],
]);
