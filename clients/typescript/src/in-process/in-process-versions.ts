import type { VersionBackend } from '../backend.js';
import { FlowgateValidationError } from '../errors/validation-error.js';
import type { WorkflowCheck } from '../types/versions.js';
import type { EngineAccess } from './engine-access.js';
import { notFound } from './not-found.js';

/** What is registered at an engine, what was, and what would be. */
export class InProcessVersions implements VersionBackend {
  readonly #access: EngineAccess;

  constructor(access: EngineAccess) {
    this.#access = access;
  }

  workflows() {
    return this.#access.ask('finding', ({ workflows }) => workflows.list());
  }

  remove({ workflowId }: Parameters<VersionBackend['remove']>[0]) {
    return this.#access.ask('finding', ({ workflows }) => workflows.unregister(workflowId));
  }

  async read({ workflowId, hash }: Parameters<VersionBackend['read']>[0]) {
    const version = await this.#access.ask('finding', ({ workflows }) =>
      workflows.read({ workflowId, hash }),
    );
    return version ?? this.#unknown(workflowId, hash);
  }

  list(request: Parameters<VersionBackend['list']>[0]) {
    return this.#access.ask('finding', ({ workflows }) => workflows.versions(request));
  }

  async diff(request: Parameters<VersionBackend['diff']>[0]) {
    const diff = await this.#access.ask('finding', ({ workflows }) => workflows.diff(request));
    if (diff !== null) return diff;
    const { workflowId, from, to } = request;
    const kept = await this.#access.ask('finding', ({ workflows }) =>
      workflows.read({ workflowId, hash: from }),
    );
    return this.#unknown(workflowId, kept === null ? from : to);
  }

  async check({ yaml, bindings }: Parameters<VersionBackend['check']>[0]): Promise<WorkflowCheck> {
    try {
      const {
        workflowId,
        warnings,
        warningDetails = [],
      } = await this.#access.ask('registering', ({ workflows }) => workflows.check({ yaml, bindings }));
      return { ok: true, workflowId, details: [], warnings, warningDetails };
    } catch (error) {
      if (!(error instanceof FlowgateValidationError)) throw error;
      return { ok: false, details: error.faults, warnings: [], warningDetails: [] };
    }
  }

  /** A workflow that is not registered is known as long as one of its versions is kept. */
  async #unknown(workflowId: string, hash: string | undefined): Promise<never> {
    // Throws what the service answers where nothing of it is there.
    await this.list({ workflowId, limit: 1, cursor: undefined });
    if (hash === undefined) notFound(`Unknown workflow: ${workflowId}`, 'unknown-workflow');
    return notFound(
      `The workflow ${workflowId} has no version ${hash.slice(0, 100)}: look for one in the list of its versions`,
      'unknown-version',
    );
  }
}
