import { readFileSync } from 'node:fs';

/** A JSON Schema, or a part of one. */
export type SchemaNode = { readonly [keyword: string]: unknown };

// The package ships `schemas/` next to `dist/`, so the same relative address holds in the sources and when built.
const SCHEMA_URL = new URL('../../../schemas/workflow.v1.schema.json', import.meta.url);

let loaded: SchemaNode | undefined;

/** The published schema of the workflow language, read once. */
export function workflowSchema(): SchemaNode {
  loaded ??= JSON.parse(readFileSync(SCHEMA_URL, 'utf8')) as SchemaNode;
  return loaded;
}
