import { parse } from 'yaml';
import type { JsonValue } from '../../../clients/typescript/src/types/json.ts';

const YAML_BLOCK = /^```yaml\n([^]*?)\n```$/gm;

/** The workflow documents of a page, by their ids: what a picture shows is the example next to it. */
export function documentsIn(page: string): ReadonlyMap<string, JsonValue> {
  return new Map(
    [...page.matchAll(YAML_BLOCK)].flatMap(([, text = '']): readonly (readonly [string, JsonValue])[] => {
      const document = parse(text) as { readonly metadata?: { readonly id?: string } } & JsonValue;
      const id = document.metadata?.id;
      return id === undefined ? [] : [[id, document]];
    }),
  );
}
