import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VERSION } from '../../config/version.js';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { reasonOf } from '../input/read-text.js';
import { note, print } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { shellWords } from '../terminal/shell-words.js';
import { JAVA_UNIT } from './java-unit.js';
import { projectFiles, type UnitTemplate } from './project-files.js';
import { PYTHON_UNIT } from './python-unit.js';
import { TYPESCRIPT_UNIT } from './typescript-unit.js';

/** By it an editor checks and completes the workflow; it comes along, so that no server has to run for that. */
const SCHEMA = {
  from: new URL('../../../schemas/workflow.v1.schema.json', import.meta.url),
  to: 'schemas/workflow.v1.schema.json',
};

export interface InitArguments {
  readonly folder: string;
  readonly python?: boolean | undefined;
  readonly java?: boolean | undefined;
}

/** Writes the files of a project that are not there yet. A file that is there is left as it is, whatever it holds. */
export async function init({ folder, python, java }: InitArguments): Promise<number> {
  const unit: UnitTemplate = python === true ? PYTHON_UNIT : java === true ? JAVA_UNIT : TYPESCRIPT_UNIT;
  const files = { ...projectFiles(unit, VERSION), [SCHEMA.to]: await readFile(SCHEMA.from, 'utf8') };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await print(
      (await isWritten(path, text)) ? `made ${oneLine(path)}` : `kept ${oneLine(path)}: it is there`,
    );
  }
  const where = folder === '.' ? '' : `${shellWords(['cd', folder])} && `;
  note(`next:  ${where}flowgate dev\n       The test of the unit: ${unit.testCommand}`);
  return EXIT.done;
}

/** False: there is such a file. */
async function isWritten(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Of a folder it says that a file stands where it would be.
    if (code === 'EEXIST' && (await isThere(path))) return false;
    throw new UsageError(`${oneLine(path)} cannot be written: ${reasonOf(error)}.`);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
