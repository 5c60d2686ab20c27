import { AsyncLocalStorage } from 'node:async_hooks';
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';

/** Passes changes to the subscriptions of one namespace: each belongs to that of the request that opened it. */
export class ChangeBus implements ServerEventBus {
  private readonly opening = new AsyncLocalStorage<string>();
  /** Those namespaces that have subscriptions. */
  private readonly buses = new Map<string, InMemoryServerEventBus>();

  constructor(private readonly onError: (error: Error) => void) {}

  /** What the work subscribes to is that namespace. */
  in<T>(namespace: string, work: () => T): T {
    return this.opening.run(namespace, work);
  }

  publishIn(namespace: string, what: 'tools' | 'resources'): void {
    this.buses.get(namespace)?.publish({ kind: `${what}_list_changed` });
  }

  /** Nothing is for all namespaces. */
  publish(_event: ServerEvent): void {
    throw new Error('A change is one of a namespace: publish it there');
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const namespace = this.opening.getStore();
    if (namespace === undefined) throw new Error('A subscription is one of a namespace: open it in there');
    const bus = this.buses.get(namespace) ?? new InMemoryServerEventBus(this.onError);
    this.buses.set(namespace, bus);
    const unsubscribe = bus.subscribe(listener);
    return () => {
      unsubscribe();
      if (bus.listenerCount === 0 && this.buses.get(namespace) === bus) this.buses.delete(namespace);
    };
  }
}
