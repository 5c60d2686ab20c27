import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPublished, type PublishedFile } from '../http/published-file.js';

// As `npm run build` leaves it. The sources have the files in the build of the repository.
const BUILT = new URL('../console/', import.meta.url);
const BUILT_FROM_SOURCES = new URL('../../dist/console/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** The page, and the script whose name stays; every other name changes with the content. */
const PAGE = 'index.html';
const BOOT = 'boot.js';
const HASHED = /^[a-z-]+-[A-Z0-9]{8}\.(?:js|css)$/;

/** As they are tried, the smallest first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;
type Encoding = (typeof ENCODINGS)[number]['name'];

/** One file of the console, as it is sent. */
export interface ConsoleFile extends PublishedFile {
  readonly type: string;
  /** Null: as it is. */
  readonly encoding: Encoding | null;
  /** Whether its name says what is in it, so that it never changes. */
  readonly isImmutable: boolean;
}

/**
 * The files of the console, each read when it is first asked for. Only what the build wrote is known: no name of a caller becomes a
 * path.
 */
export class BuiltFiles {
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, PublishedFile>();

  constructor(private readonly folder: URL = builtFolder()) {
    this.names = new Set(isBuilt(folder) ? readdirSync(folder) : []);
  }

  /** Null: the console is not built. */
  page(accepted: string | undefined): ConsoleFile | null {
    return this.named(PAGE, accepted);
  }

  /** A script or a style sheet; null: there is none of that name. */
  file(name: string, accepted: string | undefined): ConsoleFile | null {
    return name === BOOT || HASHED.test(name) ? this.named(name, accepted) : null;
  }

  private named(name: string, accepted: string | undefined): ConsoleFile | null {
    if (!this.names.has(name)) return null;
    const encoding = ENCODINGS.find(
      (one) => accepts(accepted, one.name) && this.names.has(name + one.suffix),
    );
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const file = this.once(`${name}${encoding?.suffix ?? ''}`);
    return { ...file, type, encoding: encoding?.name ?? null, isImmutable: HASHED.test(name) };
  }

  private once(name: string): PublishedFile {
    const known = this.read.get(name) ?? readPublished(new URL(name, this.folder));
    this.read.set(name, known);
    return known;
  }
}

function builtFolder(): URL {
  return isBuilt(BUILT) ? BUILT : BUILT_FROM_SOURCES;
}

function isBuilt(folder: URL): boolean {
  return existsSync(fileURLToPath(new URL(PAGE, folder)));
}

/** Whether the header takes the encoding, by its name; `*` alone is not worth a guess. */
function accepts(header: string | undefined, encoding: Encoding): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
