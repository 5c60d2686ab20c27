import type { Engine } from '../engine/index.js';

type Workflows = Pick<Engine['workflows'], 'registerParent' | 'warningsOfChildren'>;
type Document = Pick<Parameters<Workflows['registerParent']>[0], 'yaml' | 'bindings' | 'namespace'>;
type Registered = Awaited<ReturnType<Workflows['registerParent']>>;

/**
 * Documents that are registered one after the other, and call one another: which workflow none of them is, is known once all are
 * registered.
 */
export class RegisteredTogether {
  /** By namespace and workflow: a document that replaces an earlier one has its own children. */
  private readonly parents = new Map<
    string,
    { readonly source: string } & Pick<Registered, 'children'> & Pick<Document, 'namespace'>
  >();

  constructor(
    private readonly workflows: Workflows,
    private readonly warn: (message: string) => void,
  ) {}

  /** Returns the id of the workflow. Rejects as the registration does. */
  async register(source: string, document: Document): Promise<string> {
    const { workflowId, warnings, children } = await this.workflows.registerParent(document);
    for (const warning of warnings) this.warn(`${source}: ${warning}`);
    const { namespace } = document;
    this.parents.set(`${namespace ?? ''}\n${workflowId}`, { source, children, namespace });
    return workflowId;
  }

  /** To be called once all are registered. */
  async warnOfChildren(): Promise<void> {
    const parents = [...this.parents.values()];
    this.parents.clear();
    for (const { source, children, namespace } of parents) {
      for (const { message } of await this.workflows.warningsOfChildren(children, namespace))
        this.warn(`${source}: ${message}`);
    }
  }
}
