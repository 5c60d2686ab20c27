import { messageOf } from '../../../errors/flowgate-error.js';
import type { EngineLogger } from '../../ports/logger.js';

/** Called when what is registered has changed, without saying what. */
export type RegistryObserver = () => void;

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
    const own: RegistryObserver = () => observer();
    this.observers.add(own);
    return () => void this.observers.delete(own);
  }

  notify(): void {
    for (const observer of this.observers) {
      try {
        observer();
      } catch (error) {
        this.logger.error('An observer of workflows threw', { error: messageOf(error) });
      }
    }
  }
}
