import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPublished, type PublishedFile } from './published-file.js';

/** What the build leaves in a folder of its own in `dist`, for browsers: the console, and the guide. */
export type BuiltPart = 'console' | 'docs-guide';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
};

/** Every part has it; where it is missing, the part is not built. */
export const PAGE = 'index.html';
/** A name that changes with the content. */
const HASHED = /^[a-z0-9-]+-[A-Z0-9]{8}\.(?:js|css|json|svg|png|webp)$/;

/** As they are tried, the smallest first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;
type Encoding = (typeof ENCODINGS)[number]['name'];

/** One file of a part, as it is sent. */
export interface BuiltFile extends PublishedFile {
  readonly type: string;
  /** Null: as it is. */
  readonly encoding: Encoding | null;
  /** Whether its name says what is in it, so that it never changes. */
  readonly isImmutable: boolean;
}

/**
 * The files of a part, each read when it is first asked for. Only what the build wrote is known: no name of a caller becomes a
 * path.
 */
export class BuiltFiles {
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, PublishedFile>();

  /** The folder has a slash at its end. */
  constructor(private readonly folder: URL) {
    this.names = new Set(isBuiltIn(folder) ? readdirSync(folder) : []);
  }

  /** A page, or what pages are made of; null: there is none of that name. */
  named(name: string, accepted: string | undefined): BuiltFile | null {
    if (!this.names.has(name)) return null;
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) return null;
    const encoding = ENCODINGS.find(
      (one) => accepts(accepted, one.name) && this.names.has(name + one.suffix),
    );
    const file = this.once(`${name}${encoding?.suffix ?? ''}`);
    return { ...file, type, encoding: encoding?.name ?? null, isImmutable: HASHED.test(name) };
  }

  private once(name: string): PublishedFile {
    const known = this.read.get(name) ?? readPublished(new URL(name, this.folder));
    this.read.set(name, known);
    return known;
  }
}

/** As the build leaves it. The sources have the files in the build of the repository. */
export function builtFolder(part: BuiltPart): URL {
  const built = new URL(`../${part}/`, import.meta.url);
  return isBuiltIn(built) ? built : new URL(`../../dist/${part}/`, import.meta.url);
}

export function isBuilt(part: BuiltPart): boolean {
  return isBuiltIn(builtFolder(part));
}

function isBuiltIn(folder: URL): boolean {
  return existsSync(fileURLToPath(new URL(PAGE, folder)));
}

/** Whether the header takes the encoding, by its name; `*` alone is not worth a guess. */
function accepts(header: string | undefined, encoding: Encoding): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
