import type { Engine } from '../engine/index.js';

type Document = Pick<Parameters<Engine['workflows']['register']>[0], 'yaml' | 'bindings'>;

/**
 * Documents that are registered one after the other, and call one another: which workflow none of them is, is known once all are
 * registered.
 */
export class RegisteredTogether {
  private readonly withChildren: { readonly source: string; readonly document: Document }[] = [];

  constructor(
    private readonly workflows: Engine['workflows'],
    private readonly warn: (message: string) => void,
  ) {}

  /** Returns the id of the workflow. Rejects as the registration does. */
  async register(source: string, document: Document): Promise<string> {
    const { workflowId, warningDetails } = await this.workflows.register(document);
    for (const { code, message } of warningDetails)
      if (code !== 'unregistered-child') this.warn(`${source}: ${message}`);
    if (warningDetails.some(({ code }) => code === 'unregistered-child'))
      this.withChildren.push({ source, document });
    return workflowId;
  }

  /** To be called once all are registered. */
  async warnOfChildren(): Promise<void> {
    for (const { source, document } of this.withChildren.splice(0)) {
      const { warningDetails } = await this.workflows.check(document);
      for (const { code, message } of warningDetails)
        if (code === 'unregistered-child') this.warn(`${source}: ${message}`);
    }
  }
}
