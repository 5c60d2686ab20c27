import { checkId, checkText } from '../calls/arguments.js';
import type { Asking } from '../calls/asking.js';
import { checkLimit } from '../calls/limits.js';
import { itemsOf } from '../calls/pages.js';
import { textOf, type WorkflowSource } from '../document/workflow-source.js';
import type { CallOptions } from '../options.js';
import type { PageOptions } from '../options/lists.js';
import type { GetWorkflowOptions } from '../options/versions.js';
import type { UsesBindings } from '../types/bindings.js';
import type { Page } from '../types/lists.js';
import type {
  WorkflowCheck,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from '../types/versions.js';

/** What is registered, what was, and what would be. */
export class Versions {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async workflows(options: CallOptions): Promise<readonly WorkflowItem[]> {
    return this.#asking.call('listWorkflows', options, ({ versions }, signal) => versions.workflows(signal));
  }

  async remove(workflowId: string, options: CallOptions): Promise<void> {
    checkId('workflowId', workflowId);
    await this.#asking.call('deleteWorkflow', options, ({ versions }, signal) =>
      versions.remove({ workflowId }, signal),
    );
  }

  async read(workflowId: string, options: GetWorkflowOptions): Promise<WorkflowVersionDetails> {
    checkId('workflowId', workflowId);
    const { hash } = options;
    checkText('hash', hash);
    return this.#asking.call('getWorkflow', options, ({ versions }, signal) =>
      versions.read({ workflowId, hash }, signal),
    );
  }

  async list(workflowId: string, options: PageOptions): Promise<Page<WorkflowVersion>> {
    checkId('workflowId', workflowId);
    const { limit, cursor } = options;
    checkLimit(limit);
    checkText('cursor', cursor);
    const request = { workflowId, limit, cursor };
    return this.#asking.call('listVersions', options, ({ versions }, signal) =>
      versions.list(request, signal),
    );
  }

  each(workflowId: string, options: PageOptions): AsyncIterableIterator<WorkflowVersion> {
    return itemsOf((cursor) => this.list(workflowId, { ...options, cursor }), options.cursor);
  }

  async diff(workflowId: string, from: string, to: string, options: CallOptions): Promise<WorkflowDiff> {
    for (const [name, id] of Object.entries({ workflowId, from, to })) checkId(name, id);
    const request = { workflowId, from, to };
    return this.#asking.call('diffVersions', options, ({ versions }, signal) =>
      versions.diff(request, signal),
    );
  }

  async check(
    source: WorkflowSource,
    bindings: UsesBindings | undefined,
    options: CallOptions,
  ): Promise<WorkflowCheck> {
    const { text: yaml } = await textOf(source);
    return this.#asking.call('validateOnService', options, ({ versions }, signal) =>
      versions.check({ yaml, bindings }, signal),
    );
  }
}
