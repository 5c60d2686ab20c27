import { workerData } from 'node:worker_threads';
import { Connection } from '../connection/connection.js';
import { positionFileBeside } from '../folder/data-folder.js';
import { LastPosition } from '../folder/last-position.js';
import { serveTogether } from '../threads/serve.js';
import { GroupWriter } from './group-writer.js';
import type { FlatValue } from '../operations/operation.js';

const file = String(workerData);
const writer = new GroupWriter(() => new Connection(file, 'write'));
const lastPosition = new LastPosition(positionFileBeside(file), () => writer.lastPosition());

serveTogether({
  handle: (groups: readonly (readonly FlatValue[])[]) => writer.write(groups),
  afterwards: () => {
    lastPosition.committedSomething();
    writer.checkpointIfDue();
  },
  close: () => {
    lastPosition.close();
    writer.close();
  },
});
