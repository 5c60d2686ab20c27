// Finds the programs of PostgreSQL and PgBouncer, or installs Debian's: `npm ci` brings none.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from '../debian/install.mjs';

const WHAT_TO_DO =
  'install PostgreSQL 15 or later (Debian: the package "postgresql"), with initdb and postgres in PATH, or set POSTGRES_BIN ' +
  'to the folder of its programs';
const WHAT_TO_DO_FOR_POOLER =
  'install PgBouncer (Debian: the package "pgbouncer"), with pgbouncer in PATH, or set PGBOUNCER to the program';
const DEBIAN = '/usr/lib/postgresql';
/** Where Debian has it, which is in the PATH of root alone. */
const SYSTEM_PROGRAMS = '/usr/sbin';
const NEEDED = ['initdb', 'postgres', 'psql'];

/** The folder of the programs. Throws a sentence that says what to do. */
export function postgresPrograms() {
  const given = process.env['POSTGRES_BIN'];
  if (given !== undefined && given !== '') return given;
  const found = find();
  if (found !== null) return found;
  install('postgresql', WHAT_TO_DO, 'PostgreSQL');
  const installed = find();
  if (installed === null) throw new Error(`There is no PostgreSQL: ${WHAT_TO_DO}`);
  return installed;
}

/** The program of PgBouncer, a pooler. Throws a sentence that says what to do. */
export function pgBouncerProgram() {
  const given = process.env['PGBOUNCER'];
  if (given !== undefined && given !== '') return given;
  const folders = [SYSTEM_PROGRAMS, ...(process.env['PATH'] ?? '').split(delimiter)];
  const look = () =>
    folders.map((folder) => join(folder, 'pgbouncer')).find((program) => existsSync(program)) ?? null;
  const found = look();
  if (found !== null) return found;
  install('pgbouncer', WHAT_TO_DO_FOR_POOLER, 'PgBouncer');
  const installed = look();
  if (installed === null) throw new Error(`There is no PgBouncer: ${WHAT_TO_DO_FOR_POOLER}`);
  return installed;
}

/** Those of Debian, of which the newest, lie outside of the PATH. */
function find() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const debian = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'));
  const folders = [...debian, ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => NEEDED.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Throws a sentence that says what to do. */
function install(name, whatToDo, called) {
  const fault = installFromDebian([name], called);
  if (fault !== null) throw new Error(`There is no ${called}: ${whatToDo}; ${fault}`);
}
