import type { Principal } from '../../engine/index.js';

/**
 * Who comes with the bootstrap key. It holds no grant, so it may do nothing but what asks for it by name: making keys. It is told
 * by identity, so that nobody can be named like it.
 */
export const BOOTSTRAP_PRINCIPAL: Principal = Object.freeze({
  id: 'bootstrap',
  owner: 'bootstrap',
  groups: Object.freeze([]),
  grants: Object.freeze([]),
  auth: 'key',
  expiresAt: null,
});

/** Whether it is the one who may make keys, and to whom everything else is forbidden. */
export function isBootstrap(principal: Principal): boolean {
  return principal === BOOTSTRAP_PRINCIPAL;
}
