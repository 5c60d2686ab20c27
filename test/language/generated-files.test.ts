import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeGeneratedFiles } from '../../tools/schema/generated-files.mjs';

const CHECKS = 'src/engine/language/reader/precompiled-schema.ts';
const BOUNDS = 'clients/typescript/src/calls/request-bounds.ts';

it('the sources that are made from the schemas are up to date before a test begins', async () => {
  expect(await makeGeneratedFiles('.')).toEqual([]);
});

it('they are made anew where what they are made from has changed, and left alone where it has not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'flowgate-generated-'));
  try {
    cpSync('schemas', join(root, 'schemas'), { recursive: true });
    expect(await makeGeneratedFiles(root)).toEqual([CHECKS, BOUNDS]);
    expect(await makeGeneratedFiles(root)).toEqual([]);
    const schema = join(root, 'schemas/workflow.v1.schema.json');
    writeFileSync(schema, readFileSync(schema, 'utf8').replaceAll('flowgate/v1', 'flowgate/v2'));
    expect(await makeGeneratedFiles(root)).toEqual([CHECKS]);
    writeFileSync(join(root, BOUNDS), '');
    expect(await makeGeneratedFiles(root)).toEqual([BOUNDS]);
    expect(readFileSync(join(root, BOUNDS), 'utf8')).toBe(readFileSync(BOUNDS, 'utf8'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
