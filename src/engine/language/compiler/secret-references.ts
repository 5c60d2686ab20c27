import type { JsonValue } from '../../core/json.js';
import type { FaultList } from '../fault-list.js';
import { childPointer, type JsonPointer, readablePath } from '../reader/json-pointer.js';

/** A reference to a secret, as in headers and in the config of called units, where it is filled in (`units/secrets`). */
const REFERENCE = /\$\{secret:([A-Za-z_][A-Za-z0-9_]{0,127})\}/;

interface TextWithSecret {
  readonly path: JsonPointer;
  readonly text: string;
  readonly offset: number;
  readonly name: string;
}

/** Refuses references to secrets in a value in which none is ever filled in: the unit would get the text as it stands. */
export function refuseSecrets(value: JsonValue, pointer: JsonPointer, faults: FaultList): void {
  for (const found of textsWithSecrets(value, pointer)) {
    faults.addWithin(
      found,
      `no secret is filled in here, so \${secret:${found.name}} would stay this text: name it in the headers of a ` +
        `binding or in the config of a unit that is called; for the text itself write \${{ "$" + "{secret:${found.name}}" }}`,
    );
  }
}

/** The settings of a built-in that is not called: an expression that names a secret is refused, a text warned of. */
export function checkSettingsForSecrets(
  value: JsonValue,
  { pointer, uses }: { readonly pointer: JsonPointer; readonly uses: string },
  faults: FaultList,
): void {
  for (const found of textsWithSecrets(value, pointer)) {
    if (found.text.includes('${{')) {
      refuseSecrets(found.text, found.path, faults);
    } else {
      faults.warn(
        'text-of-a-secret',
        found,
        `${readablePath(found.path)} holds \${secret:${found.name}}, which is text: ${uses} fills in no secrets`,
      );
    }
  }
}

function* textsWithSecrets(value: JsonValue, path: JsonPointer): Generator<TextWithSecret> {
  if (typeof value === 'string') {
    const found = REFERENCE.exec(value);
    if (found !== null) yield { path, text: value, offset: found.index, name: found[1] ?? '' };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value))
      yield* textsWithSecrets(member as JsonValue, childPointer(path, key));
  }
}
