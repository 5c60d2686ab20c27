import type * as sqlite from 'node:sqlite';
import { SetupError } from '../../../errors/service-errors.js';

/**
 * `node:sqlite`, loaded where a database is opened: a Node without it refuses every file that imports it before one line of
 * ours could say why.
 */
export function nodeSqlite(): typeof sqlite {
  const found = process.getBuiltinModule('node:sqlite') as typeof sqlite | undefined;
  if (found === undefined) {
    throw new SetupError([
      `This Node (${process.version}) has no node:sqlite, in which Flowgate keeps its data: start it without ` +
        '--no-experimental-sqlite, also in NODE_OPTIONS.',
    ]);
  }
  return found;
}
