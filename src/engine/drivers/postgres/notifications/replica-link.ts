import type { Channels } from './channels.js';
import type { Notifications } from './notifications.js';
import { textOfMessage, type ReplicaMessage } from './replica-message.js';

type Listener = (message: ReplicaMessage) => void;

/** How this replica and the others notify one another. Before `begin`, and after `end`, nothing is sent or heard. */
export class ReplicaLink {
  private channels: Channels | null = null;
  private readonly listeners: Listener[] = [];

  constructor(
    /** The name of this replica; each process has another one. */
    readonly replica: string,
    private readonly notifications: Notifications,
  ) {}

  begin(channels: Channels): void {
    this.channels = channels;
  }

  end(): void {
    this.channels = null;
    this.notifications.stop();
  }

  toShard(shard: number, message: ReplicaMessage): void {
    if (this.channels !== null) this.notifications.send(this.channels.ofShard(shard), textOfMessage(message));
  }

  toReplica(replica: string, message: ReplicaMessage): void {
    if (this.channels === null) return;
    this.notifications.send(this.channels.ofReplica(replica), textOfMessage(message));
  }

  /** Also to this one. */
  toAll(message: ReplicaMessage): void {
    if (this.channels !== null) this.notifications.send(this.channels.all, textOfMessage(message));
  }

  /** From now on the listener is called with each message to this replica, to the owner of one of its shards, or to all. */
  hear(listener: Listener): void {
    this.listeners.push(listener);
  }

  heard(message: ReplicaMessage): void {
    if (this.channels === null) return;
    for (const listener of this.listeners) listener(message);
  }
}
