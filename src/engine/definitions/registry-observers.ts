import { messageOf } from '../../errors/flowgate-error.js';
import type { EngineLogger } from '../ports/logger.js';

/** Told that what is registered has changed: look anew. */
export type RegistryObserver = () => void;

/** Those who are told when the registry of this process changes. What one of them throws stops neither it nor the others. */
export class RegistryObservers {
  private readonly observers = new Set<RegistryObserver>();

  constructor(private readonly logger: Pick<EngineLogger, 'error'>) {}

  /** Answers how to take it back. */
  add(observer: RegistryObserver): () => void {
    // Each a place of its own: the same function twice is told twice.
    const own: RegistryObserver = () => observer();
    this.observers.add(own);
    return () => void this.observers.delete(own);
  }

  tell(): void {
    for (const observer of this.observers) {
      try {
        observer();
      } catch (error) {
        this.logger.error('An observer of workflows threw', { error: messageOf(error) });
      }
    }
  }
}
