import { type Fault, MAX_FAULTS } from '../../../../errors/document-errors.js';
import type { JsonValue } from '../../../core/json.js';
import type { JsonPointer } from '../json-pointer.js';
import type { PositionIndex } from '../positions/position-index.js';
import { schemaComplaint } from './schema-message.js';
import { checkPiece, type Piece } from '../schema-pieces.js';
import { shortened } from './value-in-words.js';

interface AcceptedGroups {
  readonly apiGroups: readonly string[];
  readonly toTakeOthers?: string;
}

interface Task {
  readonly piece: Piece;
  readonly pointer: JsonPointer;
  readonly value: unknown;
}

/** The violations of the language's schema, at most 100 faults. Units and flows may nest to any depth. */
export function schemaFaults(value: JsonValue, positions: PositionIndex): readonly Fault[] {
  const faults: Fault[] = [];
  const tasks: Task[] = [{ piece: 'document', pointer: '', value }];
  for (let next = 0; next < tasks.length; next++) {
    const task = tasks[next];
    if (task === undefined) break;
    const { errors, openings } = checkPiece(task.piece, task.value);
    for (const error of errors) {
      const complaint = schemaComplaint(error);
      if (complaint === null) continue;
      const pointer = task.pointer + complaint.pointer;
      const position = complaint.aboutKey ? positions.keyAt(pointer) : positions.at(pointer);
      faults.push({ path: pointer, ...position, message: complaint.message(pointer) });
      if (faults.length === MAX_FAULTS) return faults;
    }
    for (const opening of openings) tasks.push({ ...opening, pointer: task.pointer + opening.pointer });
  }
  return faults;
}

/** The group of `apiVersion` is a setting of the service, which the published schema cannot know. Case does not matter. */
export function apiVersionFault(
  value: JsonValue,
  { apiGroups, toTakeOthers = 'set FLOWGATE_API_GROUP to take others' }: AcceptedGroups,
  positions: PositionIndex,
): Fault | null {
  const version = apiVersionOf(value);
  const accepted = [...new Set(apiGroups.map((group) => `${group.toLowerCase()}/v1`))];
  if (version === null || accepted.includes(version.toLowerCase())) return null;
  const message = versionMessage(version, accepted, toTakeOthers);
  return { path: '/apiVersion', ...positions.at('/apiVersion'), message };
}

function versionMessage(version: string, accepted: readonly string[], toTakeOthers: string): string {
  const group = /^([^/]+)\/v1$/.exec(version)?.[1];
  if (group === undefined) {
    const list = accepted.map((name) => `\`${name}\``).join(' or ');
    return `apiVersion must be ${list}, not \`${shortened(version)}\``;
  }
  return (
    `apiVersion names the group ${shortened(group)}: this service takes ${accepted.join(' and ')}; ` +
    toTakeOthers
  );
}

/** Null when it is missing or no text, which the schema says better. */
function apiVersionOf(value: JsonValue): string | null {
  if (typeof value !== 'object' || value === null || !('apiVersion' in value)) return null;
  return typeof value.apiVersion === 'string' ? value.apiVersion : null;
}
