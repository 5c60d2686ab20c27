import type { JsonValue } from '../../../../clients/typescript/src/types/json.js';
import type { Execution, RunPicture } from '../log/picture.js';

export interface WrittenKey {
  readonly key: string;
  /** Absent: it was not there. */
  readonly before?: JsonValue;
  readonly after: JsonValue;
}

/** The keys of the state that an execution wrote, each with what it held before, as far as the scopes around it could see. */
export function writtenKeys(picture: RunPicture, execution: Execution): readonly WrittenKey[] {
  return Object.entries(writesOf(execution)).map(([key, after]) => {
    const before = valueBefore(picture, execution, key);
    return before === undefined ? { key, after } : { key, before, after };
  });
}

function writesOf({
  unitId,
  kind,
  state,
  output,
  written,
  gate,
}: Execution): Readonly<Record<string, JsonValue>> {
  if (state !== 'completed' || kind === 'set') return state === 'completed' ? written : {};
  if (gate !== undefined)
    return { [`output.${unitId}`]: { approved: gate.approved, responder: gate.responder } };
  return output === undefined ? written : { [`output.${unitId}`]: output, ...written };
}

function valueBefore(
  { executions, input }: RunPicture,
  { id, scope }: Execution,
  key: string,
): JsonValue | undefined {
  const earlier = executions.findLast((other) => {
    const isEarlier = other.endSeq !== null && other.endSeq < id && !other.isSuperseded;
    const isAround = scope === other.scope || other.scope === '' || scope.startsWith(`${other.scope}>`);
    return isEarlier && isAround && Object.hasOwn(writesOf(other), key);
  });
  if (earlier !== undefined) return writesOf(earlier)[key];
  return input !== null && Object.hasOwn(input, key) ? input[key] : undefined;
}
