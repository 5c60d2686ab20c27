import { escapedControls } from './output.js';

/** YAML of a value, for people and programs; loaded late, because few commands need it. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  // The other control characters it escapes itself, each in a text between quotes.
  return escapedControls(stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })).trimEnd();
}
