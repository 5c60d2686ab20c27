import type { Agent } from 'undici';
import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';

/** Of this many namespaces connections are kept; of the one that called longest ago they are closed as their calls end. */
const MOST_NAMESPACES = 100;

/**
 * Connections of each namespace for itself: a unit that does not answer has only its own namespace's calls wait for a connection to its
 * address. How many there are in all, the bound of executions in flight bounds.
 */
export class AgentsByNamespace {
  /** The one that called longest ago stands first. */
  private readonly agents = new Map<string, Agent>();
  private readonly leaving = new Set<Agent>();
  private last: { readonly namespace: string; readonly agent: Agent } | null = null;

  constructor(
    private readonly make: () => Agent,
    private readonly most = MOST_NAMESPACES,
  ) {}

  of(namespace = DEFAULT_NAMESPACE): Agent {
    if (this.last?.namespace === namespace) return this.last.agent;
    const agent = this.agents.get(namespace) ?? this.make();
    this.agents.delete(namespace);
    this.agents.set(namespace, agent);
    this.last = { namespace, agent };
    if (this.agents.size > this.most) this.letGo();
    return agent;
  }

  /** Closes every connection. */
  async destroy(): Promise<void> {
    this.last = null;
    await Promise.all([...this.agents.values(), ...this.leaving].map((agent) => agent.destroy()));
  }

  private letGo(): void {
    const [oldest] = this.agents;
    if (oldest === undefined) return;
    const [namespace, agent] = oldest;
    this.agents.delete(namespace);
    this.leaving.add(agent);
    const left = (): unknown => this.leaving.delete(agent);
    agent.close().then(left, left);
  }
}
