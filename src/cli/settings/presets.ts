import { SETTINGS } from '../../config/service/settings.js';
import { UsageError } from '../command-errors.js';
import { folderFile } from './folder-file.js';
import type { OutputFormat } from './output-formats.js';
import { folderSettings, outputOf, type FolderSettings } from './folder-settings.js';

export const LOCAL_SERVER = `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}`;

/** Who named a value: a folder's file comes with a clone, the environment does not. */
export type PresetSource = 'environment' | 'folder' | 'default';

/** What holds where the command line does not say. */
export interface Presets {
  /** The file of the folder, or of one above; null: there is none. */
  readonly file: string | null;
  readonly folder: FolderSettings;
  readonly server: { readonly value: string; readonly from: PresetSource };
  readonly namespace: { readonly value: string; readonly from: PresetSource } | null;
  readonly output: { readonly value: OutputFormat; readonly from: PresetSource } | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Options take precedence over the environment, and that over the folder. Throws a `UsageError` for a value that is none. */
export function presetsOf(environment: Environment, from: string): Presets {
  const file = folderFile(from);
  const folder = file === null ? {} : folderSettings(file);
  const named = (variable: string): string | undefined => environment[variable]?.trim() || undefined;
  const output = named('FLOWGATE_OUTPUT');
  return {
    file: file?.path ?? null,
    folder,
    server: first(named('FLOWGATE_SERVER'), folder.server) ?? { value: LOCAL_SERVER, from: 'default' },
    namespace: first(named('FLOWGATE_NAMESPACE'), folder.namespace),
    output: first(output === undefined ? undefined : outputOf('FLOWGATE_OUTPUT', output), folder.output),
  };
}

let ofThisProcess: Presets | undefined;

/** Those of this process, read once a command needs them: `--help` works next to a file that is wrong. */
export function presets(): Presets {
  return (ofThisProcess ??= presetsOf(process.env, workingFolder()));
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('The folder that this is typed in is gone: go to another one.');
  }
}

function first<T>(fromEnvironment: T | undefined, fromFolder: T | undefined) {
  if (fromEnvironment !== undefined) return { value: fromEnvironment, from: 'environment' as const };
  return fromFolder === undefined ? null : { value: fromFolder, from: 'folder' as const };
}
