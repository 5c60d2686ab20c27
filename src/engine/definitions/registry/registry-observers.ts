import { messageOf } from '../../../errors/flowgate-error.js';
import type { EngineLogger } from '../../ports/logger.js';

/** Called when what is registered in the namespace has changed, without saying what. */
export type RegistryObserver = (namespace: string) => void;

/** The observers of this process's registry. What one of them throws stops neither the registry nor the others. */
export class RegistryObservers {
  private readonly observers = new Set<RegistryObserver>();

  constructor(private readonly logger: Pick<EngineLogger, 'error'>) {}

  get size(): number {
    return this.observers.size;
  }

  /** Returns the function that removes the observer. */
  add(observer: RegistryObserver): () => void {
    // Each has an entry of its own: a function that was added twice is called twice.
    const own: RegistryObserver = (namespace) => observer(namespace);
    this.observers.add(own);
    return () => void this.observers.delete(own);
  }

  notify(namespace: string): void {
    for (const observer of this.observers) {
      try {
        observer(namespace);
      } catch (error) {
        this.logger.error('An observer of workflows threw', { error: messageOf(error) });
      }
    }
  }
}
