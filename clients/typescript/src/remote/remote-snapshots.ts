import type { RunAddress, SnapshotBackend } from '../backend.js';
import type { Snapshot, SnapshotPage } from '../types/snapshots.js';
import type { Exchange } from './exchange.js';
import { isRecord } from './refusal.js';
import type { Query, ServiceAddress } from './service-address.js';

type Answer = Readonly<Record<string, unknown>>;

const isPage = ({ snapshots }: Answer): boolean => Array.isArray(snapshots);
const isSnapshot = ({ snapshotId, state }: Answer): boolean =>
  typeof snapshotId === 'string' && isRecord(state);

/** The checkpoints of a run, as pages and one by one. */
export class RemoteSnapshots implements SnapshotBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async page(
    { limit, cursor, ...run }: Parameters<SnapshotBackend['page']>[0],
    signal: AbortSignal,
  ): Promise<SnapshotPage> {
    const url = this.#ofSnapshots(run, [], { limit, cursor });
    return (await this.#exchange.ask({ url, isAnswer: isPage }, signal)) as unknown as SnapshotPage;
  }

  async one(
    { snapshotId, ...run }: Parameters<SnapshotBackend['one']>[0],
    signal: AbortSignal,
  ): Promise<Snapshot> {
    const url = this.#ofSnapshots(run, [snapshotId], {});
    return (await this.#exchange.ask({ url, isAnswer: isSnapshot }, signal)) as unknown as Snapshot;
  }

  #ofSnapshots({ workflowId, runId }: RunAddress, rest: readonly string[], query: Query): string {
    return this.#address.of(['workflows', workflowId, 'runs', runId, 'snapshots', ...rest], query);
  }
}
