/** The namespace of everything that was not put into another one. */
export const DEFAULT_NAMESPACE = 'default';

/** Whether the text may name a namespace: it stands in keys and in the names of variables and folders. */
export function isNamespace(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,62}$/.test(text);
}
