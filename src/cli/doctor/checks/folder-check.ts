import { FOLDER_FILE } from '../../settings/folder-file.js';
import type { Presets } from '../../settings/presets.js';
import { note, ok, type Check } from '../check.js';

/** What the folder says for commands, and which of it the environment overrides. */
export function folderCheck({ file, folder, ...named }: Presets): Check {
  if (file === null) return ok('folder', `No ${FOLDER_FILE} in this folder or above`);
  const said = (['server', 'output', 'namespace'] as const).flatMap((name) => {
    const value = folder[name];
    if (value === undefined) return [];
    const isOverridden = named[name]?.from !== 'folder';
    return [`${name} ${value}${isOverridden ? ' (the environment says otherwise)' : ''}`];
  });
  return note('folder', `${file} says ${said.length === 0 ? 'nothing' : said.join(', ')}`);
}
