import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Clock, EngineLogger } from '../../engine/index.js';
import { messageOf } from '../../errors/flowgate-error.js';
import { ConfigError } from '../../errors/service-errors.js';
import { AccessRules, NO_RULES } from './access-rules.js';
import { parseAccessFile } from './parse-access-file.js';

const LOOK_EVERY_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

export interface AccessFileParts {
  /** The path; null: there is no file, and nothing is ever read. */
  readonly path: string | null;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  /** Called when other rules hold. */
  readonly changed: () => void;
  /** Called with the SHA-256 of other rules before they hold. While it rejects, they do not. */
  readonly record: (sha256: string) => Promise<void>;
}

/**
 * The access file, read every 5 s by its content.
 *
 * 1. Rules hold as a whole, or not at all: those of a wrong file never do, and the last right ones stay.
 * 2. A file that is wrong at the start ends it.
 */
export class AccessFile {
  private current = NO_RULES;
  private heldHash: string | null = null;
  private currentFault: string | null = null;
  private cancel: () => void = () => undefined;
  private isOpen = false;

  constructor(private readonly parts: AccessFileParts) {}

  /** The rules that hold. */
  get rules(): AccessRules {
    return this.current;
  }

  /** The SHA-256 of the file that holds, in hex; `none`: there is no file. */
  get hash(): string {
    return this.heldHash ?? 'none';
  }

  /** Why the rules that hold are not those of the file as it is now; null: they are. */
  get fault(): string | null {
    return this.currentFault;
  }

  /** Rejects with a `ConfigError` for a file that cannot be used. */
  async open(): Promise<void> {
    const { path } = this.parts;
    if (path === null) return;
    await this.look(path);
    if (this.currentFault !== null)
      throw new ConfigError([{ variable: 'FLOWGATE_ACCESS_FILE', message: this.currentFault }]);
    this.isOpen = true;
    this.lookLater(path);
  }

  close(): void {
    this.isOpen = false;
    this.cancel();
  }

  private lookLater(path: string): void {
    const { clock } = this.parts;
    this.cancel = clock.schedule(clock.now() + LOOK_EVERY_MS, () => void this.lookAgain(path), true);
  }

  private async lookAgain(path: string): Promise<void> {
    const before = this.currentFault;
    await this.look(path);
    if (!this.isOpen) return;
    const { logger } = this.parts;
    if (this.currentFault !== null && this.currentFault !== before)
      logger.error('The access file cannot be used: what it said before still holds', {
        fault: this.currentFault,
      });
    else if (this.currentFault === null && before !== null) logger.info('The access file can be used again');
    this.lookLater(path);
  }

  private async look(path: string): Promise<void> {
    let text: string;
    try {
      text = await textOf(path);
    } catch (error) {
      this.currentFault = `FLOWGATE_ACCESS_FILE cannot be read (${reasonOf(error)}): name a file of at most 1 MiB that the service may read`;
      return;
    }
    const contentHash = hash('sha256', text);
    if (contentHash === this.heldHash) {
      this.currentFault = null;
      return;
    }
    const parsed = parseAccessFile(text);
    if (!(parsed instanceof AccessRules)) {
      this.currentFault = `FLOWGATE_ACCESS_FILE is wrong: ${parsed.join('; ')}`;
      return;
    }
    try {
      await this.parts.record(contentHash);
    } catch (error) {
      this.currentFault = `FLOWGATE_ACCESS_FILE has changed, and that cannot be recorded in the audit: ${messageOf(error)}`;
      return;
    }
    const isFirst = this.heldHash === null;
    this.current = parsed;
    this.heldHash = contentHash;
    this.currentFault = null;
    this.parts.changed();
    if (!isFirst) this.parts.logger.info('The access file has changed, and holds from now on');
  }
}

/** Says what the system says, without the path: it is of this machine alone. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : 'unknown';
}

/** Never more than the most is read, whatever size the file says to have; to open a pipe must not wait for its writer. */
async function textOf(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is no file');
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.toString('utf8', 0, length);
      length += bytesRead;
    }
    throw new Error('it is larger than 1 MiB');
  } finally {
    await handle.close();
  }
}
