import {
  GrantPolicy,
  type ActingEngine,
  type Engine,
  type EngineOptions,
  type Grant,
  type Policy,
  type Principal,
} from '../../../../src/engine/index.js';
import { PERMISSIONS, type Permission } from '../../../../src/engine/vocabulary.js';
import { inSequence, openEngine } from '../../../support/engine.js';

/** Roles `all`, `no <permission>` for each, and `<permission>` alone. */
const ROLES = new Map<string, readonly Permission[]>([
  ['all', PERMISSIONS],
  ...PERMISSIONS.map((one) => [`no ${one}`, PERMISSIONS.filter((other) => other !== one)] as const),
  ...PERMISSIONS.map((one) => [one, [one]] as const),
]);

export const POLICY: Policy = new GrantPolicy(() => ROLES);

export function principalOf(owner: string, ...grants: readonly Grant[]): Principal {
  return { id: `key-of-${owner}`, owner, groups: [], grants, auth: 'key', expiresAt: null };
}

export interface Address {
  readonly workflowId: string;
  readonly runId: string;
}

export interface World {
  readonly engine: Engine;
  /** Of a workflow whose id begins with `seen`, at its gate. */
  readonly seen: Address;
  /** Of the same namespace, of a workflow whose id does not. */
  readonly hidden: Address;
  /** Of a workflow of the same id as that of `seen`, in another namespace. */
  readonly foreign: Address;
  /** Somebody who acts in the namespace `acme`. */
  acting(
    role: string,
    more?: { readonly workflows?: readonly string[]; readonly owner?: string },
  ): ActingEngine;
}

export const yamlOf = (workflowId: string): string =>
  inSequence(workflowId, [
    { id: 'say', uses: 'say' },
    { id: 'agree', uses: 'builtin.approval' },
  ]);

/** A run of each kind, and nobody who may act yet. */
export async function actingWorld(options: Partial<EngineOptions> = {}): Promise<World> {
  const { engine } = await openEngine(
    { say: ({ context }) => `pelican of ${context.namespace}` },
    { policy: POLICY, audit: true, ...options },
  );
  const begun = async (namespace: string, workflowId: string): Promise<Address> => {
    await engine.workflows.register({ namespace, yaml: yamlOf(workflowId) });
    const { runId } = await engine.runs.start({ namespace, workflowId, sync: true });
    return { workflowId, runId };
  };
  return {
    engine,
    seen: await begun('acme', 'seen-w'),
    hidden: await begun('acme', 'hidden-w'),
    foreign: await begun('other', 'seen-w'),
    acting: (role, { workflows, owner = 'ann' } = {}) => {
      const grant = { namespace: 'acme', roles: [role], ...(workflows === undefined ? {} : { workflows }) };
      return engine.as(principalOf(owner, grant), { namespace: 'acme', via: 'http' });
    },
  };
}

/** What became of a call: its value, the first item of a stream, or the error as its caller sees it. */
export async function outcomeOf(call: () => unknown): Promise<object> {
  try {
    const made: unknown = await call();
    if (typeof made !== 'object' || made === null || !(Symbol.asyncIterator in made)) return { value: made };
    const iterator = (made as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    const { value } = await iterator.next();
    await iterator.return?.();
    return { value };
  } catch (error) {
    const { code, message, detail, details } = error as {
      [name in 'code' | 'message' | 'detail' | 'details']: unknown;
    };
    return { code, message, detail, details };
  }
}
