import { basename } from 'node:path';
import { StoreError } from '../../../errors/service-errors.js';

/** What went wrong, in a form that passes from a worker to the main thread. */
export interface SqliteFault {
  /** SQLite's primary result code; null when the fault is not SQLite's. */
  readonly code: number | null;
  readonly message: string;
}

/** https://sqlite.org/rescode.html */
const CODES = {
  busy: 5,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const;

const PRIMARY_CODE_BITS = 0xff;

/** Looks at the fields and uses no `instanceof`: under a test runner SQLite's errors are of another realm. */
export function faultOf(error: unknown): SqliteFault {
  if (typeof error !== 'object' || error === null) return { code: null, message: String(error) };
  // A fault of the file system: its message would show a path of this machine.
  if ('syscall' in error && 'code' in error)
    return { code: null, message: `${error.syscall}: ${error.code}` };
  const message = 'message' in error && typeof error.message === 'string' ? error.message : String(error);
  const code =
    'errcode' in error && typeof error.errcode === 'number' ? error.errcode & PRIMARY_CODE_BITS : null;
  return { code, message };
}

/** Whether the one operation is at fault, and not the disk or the file: the others of its group can continue. */
export function isFaultOfOperation(fault: SqliteFault): boolean {
  return fault.code === null || isFaultOfValues(fault);
}

/** Whether SQLite refuses the values themselves: it would refuse them again. */
function isFaultOfValues({ code }: SqliteFault): boolean {
  return code === CODES.tooBig || code === CODES.constraint || code === CODES.mismatch;
}

export function isBusy({ code }: SqliteFault): boolean {
  return code === CODES.busy;
}

export function isFullDisk({ code }: SqliteFault): boolean {
  return code === CODES.full;
}

export function isDamaged({ code }: SqliteFault): boolean {
  return code === CODES.corrupt || code === CODES.notADatabase;
}

/** The error for callers; `file` is shown by its name only. */
export function storeErrorOf(fault: SqliteFault, file: string): StoreError {
  if (isFaultOfValues(fault)) return permanentErrorOf(fault, file);
  return new StoreError(sentenceOf(fault, basename(file)), { cause: new Error(fault.message) });
}

/** As `storeErrorOf`, where one operation failed and the others of its group did not. */
export function permanentErrorOf(fault: SqliteFault, file: string): StoreError {
  const name = basename(file);
  const sentence =
    fault.code === CODES.tooBig
      ? `A value is too large for ${name} (more than 1 GB): let units answer less, or keep the data elsewhere and answer a reference to it`
      : `${name} in the data folder cannot hold what it was given (${fault.message}): report this with the version of the service`;
  return new StoreError(sentence, { cause: new Error(fault.message), permanent: true });
}

/** As `storeErrorOf`, for whatever was thrown; a `StoreError` stays as it is. */
export function toStoreError(error: unknown, file: string): StoreError {
  return error instanceof StoreError ? error : storeErrorOf(faultOf(error), file);
}

function sentenceOf({ code, message }: SqliteFault, name: string): string {
  switch (code) {
    case CODES.full:
      return 'The disk of the data folder is full: free some space; writing then goes on by itself';
    case CODES.readonly:
    case CODES.cannotOpen:
      return `${name} in the data folder cannot be opened for writing: give this user write access to the folder and its files`;
    case CODES.ioError:
      return `The disk failed to read or write ${name} (${message}): check the disk; the service goes on once it works`;
    case CODES.corrupt:
    case CODES.notADatabase:
      return `${name} in the data folder is damaged: stop the service and restore the folder from a backup, or move ${name} away to begin empty`;
    case CODES.busy:
      return `${name} in the data folder is locked by another program: stop that program`;
    default:
      return `${name} in the data folder could not be used (${message}): check the disk and try again`;
  }
}
