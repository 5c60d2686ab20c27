import { BuiltFiles, builtFolder, PAGE, type BuiltFile } from '../http/built-files.js';

/** The script whose name stays, as that of the page does; every other name changes with the content. */
const BOOT = 'boot.js';
const HASHED = /^[a-z-]+-[A-Z0-9]{8}\.(?:js|css)$/;

/** The files of the console: its page, which has many addresses, and the others, each at its name. */
export class ConsoleFiles {
  private readonly files: BuiltFiles;

  constructor(folder: URL = builtFolder('console')) {
    this.files = new BuiltFiles(folder);
  }

  /** Null: the console is not built. */
  page(accepted: string | undefined): BuiltFile | null {
    return this.files.named(PAGE, accepted);
  }

  /** A script or a style sheet; null: there is none of that name. */
  file(name: string, accepted: string | undefined): BuiltFile | null {
    return name === BOOT || HASHED.test(name) ? this.files.named(name, accepted) : null;
  }
}
