import { existsSync, rmSync } from 'node:fs';
import type { CallMark, CrashCounts } from '../../engine/ports/store/crash-journal.js';
import { BegunCalls } from './marks/begun-calls.js';
import { Connection } from './connection/connection.js';
import { toStoreError } from './connection/sqlite-fault.js';
import { createDataFolder, type DataFolder } from './folder/data-folder.js';
import { FolderIdentity } from './folder/folder-identity.js';
import { refuseLostEntries } from './folder/last-position.js';
import { OwnerLock } from './folder/owner-lock.js';
import { LeftBehind } from './marks/left-behind.js';
import { RunsAtRisk } from './marks/runs-at-risk.js';
import { pointReader, type ReadPoint } from './reader/read-point.js';
import type { Scan, ScanResult } from './reader/scan.js';
import { Scanner } from './reader/scanner.js';
import { checkRuns } from './operations/log/read-run.js';
import { prepareRunDatabase } from './schema/prepare-run-database.js';
import { WorkerThread } from './threads/worker-thread.js';
import { GroupCommit } from './writer/group-commit.js';
import type { WriterResult } from './writer/group-writer.js';
import type { FlatValue } from './operations/operation.js';

/**
 * A reader thread that was idle for this long ends. It reads lists and the logs of long runs: a service that only runs
 * workflows does without.
 */
const READER_IDLE_MS = 3_000;

/** Everything that is there while the store is open. */
export interface OpenStore {
  readonly read: ReadPoint;
  readonly scanner: Scanner;
  readonly commits: GroupCommit;
  readonly identity: FolderIdentity;
  readonly calls: BegunCalls;
  readonly callsLeftBehind: LeftBehind<CallMark>;
  readonly risks: RunsAtRisk;
  readonly crashCountsLeftBehind: LeftBehind<CrashCounts>;
  /** Waits for what was submitted and releases the folder. */
  close(): Promise<void>;
}

/** Throws a `StoreError`, and then keeps nothing open. `workers` is the folder of this file as JavaScript. */
export async function openStore(folder: DataFolder, workers: URL): Promise<OpenStore> {
  const file = folder.runsFile;
  await createDataFolder(folder);
  const lock = OwnerLock.acquire(folder.ownerFile);
  const writer = new WorkerThread<readonly FlatValue[], readonly WriterResult[]>({
    name: 'store writer',
    url: new URL('writer/writer-worker.js', workers),
    file,
  });
  const readerCalled = (name: string): WorkerThread<Scan, ScanResult> => {
    const url = new URL('reader/reader-worker.js', workers);
    return new WorkerThread({ name, url, file, idleMs: READER_IDLE_MS });
  };
  const reader = readerCalled('store reader');
  const large = readerCalled('store large reader');
  let opened: Connection | null = null;
  try {
    refuseLostEntries(file, folder.positionFile);
    prepareRunDatabase(file);
    await writer.call([]);
    const points = (opened = new Connection(file, 'read'));
    const read = pointReader(points, file);
    read(checkRuns);
    const calls = new BegunCalls(folder.callsFile);
    const begun = calls.leftBehind();
    const risks = new RunsAtRisk(folder.risksFile);
    const crashCounts = risks.leftBehind();
    const identity = new FolderIdentity(folder);
    const commits = new GroupCommit(writer, file, () => identity.verifyNowAndThen());
    calls.forget();
    risks.startOver(crashCounts);
    return {
      read,
      scanner: new Scanner(reader, large, read),
      commits,
      identity,
      calls,
      callsLeftBehind: new LeftBehind(begun),
      risks,
      crashCountsLeftBehind: new LeftBehind(crashCounts),
      close: async () => {
        try {
          await commits.drained();
          const isThere = identity.isThere();
          await Promise.all([reader.close(), large.close()]);
          points.close();
          // The last connection: closing it brings the log into the database file.
          await writer.close();
          // After a loss, the files there may belong to another process.
          for (const marks of [calls, risks]) {
            if (isThere) marks.forget();
            else marks.release();
          }
          if (isThere) forgetPosition(folder);
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    opened?.close();
    await Promise.all([reader.close(), large.close(), writer.close()]);
    lock.release();
    throw toStoreError(error, file);
  }
}

/** Once all of the log is in the database file, no end of it can be missing. */
function forgetPosition({ runsFile, positionFile }: DataFolder): void {
  if (!existsSync(`${runsFile}-wal`)) rmSync(positionFile, { force: true });
}
