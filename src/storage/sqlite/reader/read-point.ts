import type { Connection } from '../connection/connection.js';
import { toStoreError } from '../connection/sqlite-fault.js';

/**
 * Reads by key on the main thread. They touch a few pages through an index, which takes less than a message to another
 * thread would; and the JSON must be parsed here in any case. Throws a `StoreError`.
 */
export type ReadPoint = <Result>(operation: (points: Connection) => Result) => Result;

/** `file` is that of the connection: an error names it. */
export function pointReader(points: Connection, file: string): ReadPoint {
  return (operation) => {
    try {
      return operation(points);
    } catch (error) {
      throw toStoreError(error, file);
    }
  };
}
