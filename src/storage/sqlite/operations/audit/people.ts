import { randomUUID } from 'node:crypto';
import { textOf } from '../../connection/columns.js';
import type { Connection } from '../../connection/connection.js';

const FIND = 'SELECT ref FROM people WHERE owner = ? AND is_claimed = ?';
const INSERT = 'INSERT INTO people (ref, owner, is_claimed) VALUES (?, ?, ?)';
const FORGET = `
  DELETE FROM people WHERE ref = ?1
    AND NOT EXISTS (SELECT 1 FROM audit WHERE person = ?1) AND NOT EXISTS (SELECT 1 FROM audit WHERE subject = ?1)`;

/** Null: nothing tells of them. */
export function findPerson(connection: Connection, owner: string, isClaimed: boolean): string | null {
  const columns = connection.statement(FIND).get(owner, isClaimed ? 1 : 0);
  return columns === undefined ? null : textOf(columns, 'ref');
}

/** References that were asked for in this transaction, by who it is. */
export type KnownPeople = Map<string, string>;

/** The reference of a person, who gets a random one the first time. */
export function personOf(
  connection: Connection,
  owner: string,
  isClaimed: boolean,
  people: KnownPeople,
): string {
  const who = `${isClaimed} ${owner}`;
  const ref =
    people.get(who) ?? findPerson(connection, owner, isClaimed) ?? newPerson(connection, owner, isClaimed);
  people.set(who, ref);
  return ref;
}

function newPerson(connection: Connection, owner: string, isClaimed: boolean): string {
  const ref = randomUUID();
  connection.statement(INSERT).run(ref, owner, isClaimed ? 1 : 0);
  return ref;
}

/** Those of whom no act tells any more. */
export function forgetUntold(connection: Connection, refs: ReadonlySet<string>): void {
  for (const ref of refs) connection.statement(FORGET).run(ref);
}
