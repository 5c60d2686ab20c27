import { YamlLoadError, YamlValidationError, type Fault } from '../../errors/document-errors.js';
import type { DocumentWarning, Engine } from '../../engine/index.js';
import { bindingsFor } from '../input/bindings.js';
import { nameOf, readText } from '../input/read-text.js';

/** What was found in one document. */
export interface CheckedFile {
  readonly file: string;
  /** Null: it has faults. */
  readonly workflowId: string | null;
  /** What is accepted but probably not meant. */
  readonly warnings: readonly string[];
  /** The same, in the same order, with what they are about and where that is. */
  readonly warningDetails: readonly DocumentWarning[];
  /** `uses` names that the server must know. */
  readonly unanswered: readonly string[];
  readonly faults: readonly Fault[];
  /** The error class that the service has for faults of this kind; null: there are no faults. */
  readonly type: 'YamlValidationError' | 'YamlLoadError' | null;
  /** The document's text, to show the lines of faults; null where there are none. */
  readonly text: string | null;
}

/** Checks one document as far as that is possible without a server. Throws a `UsageError` for one that cannot be read. */
export async function checkedFile(
  engine: Engine,
  path: string,
  bind: readonly string[] | undefined,
): Promise<CheckedFile> {
  const file = nameOf(path);
  const text = await readText(path);
  const bindings = await bindingsFor(path, bind);
  try {
    const anyUses = bind === undefined;
    const { workflowId, warnings, warningDetails, unanswered } = await engine.workflows.check({
      yaml: text,
      bindings,
      anyUses,
    });
    return { file, workflowId, warnings, warningDetails, unanswered, faults: [], type: null, text: null };
  } catch (error) {
    const type = typeOf(error);
    const faults = (error as YamlLoadError).details;
    const odd = { warnings: [], warningDetails: [], unanswered: [] };
    return { file, workflowId: null, ...odd, faults, type, text };
  }
}

function typeOf(error: unknown): 'YamlValidationError' | 'YamlLoadError' {
  if (error instanceof YamlValidationError) return 'YamlValidationError';
  if (error instanceof YamlLoadError) return 'YamlLoadError';
  throw error;
}
