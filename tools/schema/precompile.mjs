// Turns the published schema of documents into code, so that nobody compiles it at run time: the service starts sooner, and the
// client checks documents on pages that forbid `eval`.
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _, strConcat } from 'ajv/dist/compile/codegen/index.js';
import names from 'ajv/dist/compile/names.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

const OPENING = 'flowgatePiece';
const PIECES_ID = 'urn:flowgate:schema:workflow:v1:pieces';
const PIECE_REFS = { '#/$defs/unit': 'unit', '#/$defs/flow': 'flow' };

/** A copy of the schema in which every reference to a unit or a flow only notes that one stands there. */
function cutIntoPieces(schema) {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key === '$id') return undefined;
    const piece = PIECE_REFS[value?.$ref];
    return piece === undefined ? value : { [OPENING]: piece };
  });
}

/** Keywords that only say something to people. */
const PROSE = ['$schema', 'title', 'description', 'examples', 'default'];

/** Without what no check reads: it would be half of the code, because each error carries its schema. */
function withoutProse(schema) {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !PROSE.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) =>
      ['properties', '$defs'].includes(keyword)
        ? [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutProse(one)]))]
        : [keyword, withoutProse(value)],
    ),
  );
}

/** The text of the file, without its first line. */
export async function make(published) {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strictTypes: false,
    // A field named `constructor` is not there just because every object inherits one.
    ownProperties: true,
    passContext: true,
    code: { source: true, esm: true },
  });
  ajv.addKeyword({
    keyword: OPENING,
    schemaType: 'string',
    // The checks are called on the list of openings, so `this` is that list.
    code: ({ gen, data, schema, it }) =>
      gen.code(
        _`this.push({ piece: ${schema}, pointer: ${strConcat(names.default.instancePath, it.errorPath)}, value: ${data} })`,
      ),
  });
  ajv.addSchema(cutIntoPieces(withoutProse(published)), PIECES_ID);
  const pieces = { document: PIECES_ID, unit: `${PIECES_ID}#/$defs/unit`, flow: `${PIECES_ID}#/$defs/flow` };
  for (const [name, ref] of Object.entries(pieces)) ajv.addSchema({ $ref: ref }, name);
  const code = standalone.default(ajv, { document: 'document', unit: 'unit', flow: 'flow' });
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname },
    // Its comments name the files that it took, from here, wherever the command was started.
    absWorkingDir: resolve(import.meta.dirname, '../..'),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
  });
  return `// @ts-nocheck\n${outputFiles[0].text}`;
}
