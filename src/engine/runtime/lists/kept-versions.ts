import { deepFreeze } from '../../core/freeze.js';
import type { DefinitionStore, StoredDefinition } from '../../ports/store/definition-store.js';
import type { Page } from '../../run-lists.js';
import type { WorkflowDiff, WorkflowVersion, WorkflowVersionDetails } from '../../workflow-versions.js';
import type { Definition } from '../../definitions/definition.js';
import type { Sealer } from '../../definitions/sealer.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import type { DocumentComparer } from '../../definitions/thread/document-comparer.js';
import { checkedLimit, decodeCursor, encodeCursor, type CursorOf } from './list-cursor.js';

/** The workflow whose versions are meant. */
export interface VersionList {
  readonly namespace: string;
  readonly workflowId: string;
}

export interface KeptVersionsOptions {
  readonly store: Pick<DefinitionStore, 'readDefinition' | 'listDefinitions'>;
  readonly registry: WorkflowRegistry;
  readonly sealer: Sealer;
  readonly comparer: DocumentComparer;
}

/** Reads what is kept of a workflow: the definition that is registered, and earlier ones that a run still needs. */
export class KeptVersions {
  constructor(private readonly options: KeptVersionsOptions) {}

  /** The version that is registered, or the one of `hash`; null: there is none. Throws a `SealedError`. */
  async read(list: VersionList, hash: string | null): Promise<WorkflowVersionDetails | null> {
    const { registry, sealer } = this.options;
    const currentHash = await registry.currentHash(list.namespace, list.workflowId);
    const stored = await this.stored(list, hash ?? currentHash);
    if (stored === null) return null;
    const definition = await registry.pinnedTo(stored);
    const { workflowId, registeredAt } = stored;
    const { description, labels, flowType, input, plan } = definition;
    return deepFreeze({
      definitionHash: stored.hash,
      registeredAt,
      current: stored.hash === currentHash,
      workflowId,
      description,
      labels: { ...labels },
      units: [...plan.units.keys()],
      flowType,
      yaml: sealer.open(stored.yaml),
      inputSchema: input,
      bindings: this.bindingsOf(definition),
    });
  }

  /** Throws an `UnknownWorkflowError` where there is none, and an `InvalidRequestError`. */
  async list(
    list: VersionList,
    page: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<Page<WorkflowVersion>> {
    const { store, registry } = this.options;
    const limit = checkedLimit(page.limit);
    const of = cursorsOf(list);
    const key = decodeCursor(of, page.cursor);
    const before = key === null ? null : { registeredAt: key[0], hash: key[1] };
    // One more tells whether there is a next page.
    const found = await store.listDefinitions({ ...list, before, limit: limit + 1 });
    if (found.length === 0 && before === null) throw await registry.unknown(list.namespace, list.workflowId);
    const currentHash = await registry.currentHash(list.namespace, list.workflowId);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(({ hash, registeredAt }) => ({
        definitionHash: hash,
        registeredAt,
        current: hash === currentHash,
      })),
      next:
        found.length > limit && last !== undefined ? encodeCursor(of, [last.registeredAt, last.hash]) : null,
    };
  }

  /** Null: one of them is not kept. Throws a `SealedError` or a `BusyError`. */
  async diff(
    list: VersionList,
    hashes: { readonly from: string; readonly to: string; readonly caller?: string | undefined },
  ): Promise<WorkflowDiff | null> {
    const { comparer, sealer } = this.options;
    const [from, to] = await Promise.all([this.stored(list, hashes.from), this.stored(list, hashes.to)]);
    if (from === null || to === null) return null;
    const side = ({ hash, yaml }: StoredDefinition) => ({ name: hash, text: sealer.open(yaml) });
    return comparer.compare(side(from), side(to), hashes.caller ?? '');
  }

  private async stored(
    { namespace, workflowId }: VersionList,
    hash: string | null,
  ): Promise<StoredDefinition | null> {
    const stored = hash === null ? null : await this.options.store.readDefinition({ namespace, hash });
    return stored?.workflowId === workflowId ? stored : null;
  }

  /** Where its units are reached today. An endpoint may hold a secret anywhere but in its origin. */
  private bindingsOf(definition: Definition): WorkflowVersionDetails['bindings'] {
    const { registry } = this.options;
    const called = [...definition.plan.units.values()].map(({ uses }) => uses);
    return [...new Set([...definition.bindings.keys(), ...called])].flatMap((uses) => {
      const binding = registry.bindings(definition, uses);
      if (binding === undefined) return [];
      return [{ uses, origin: new URL(binding.endpoint).origin, headers: Object.keys(binding.headers) }];
    });
  }
}

function cursorsOf({ namespace, workflowId }: VersionList): CursorOf<readonly [number, string]> {
  return { list: 'versions', filter: [namespace, workflowId], key: ['number', 'string'] };
}
