/** Where everything is that nobody put into a namespace of its own. */
export const DEFAULT_NAMESPACE = 'default';

/** What may name a namespace: it stands in keys, in names of variables and of folders. */
export function isNamespace(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,62}$/.test(text);
}
