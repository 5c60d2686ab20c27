/** The namespace of everything that was not put into another one. */
export const DEFAULT_NAMESPACE = 'default';

export const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;

/** Whether the text may name a namespace: it stands in keys and in the names of variables and folders. */
export function isNamespace(text: string): boolean {
  return NAMESPACE.test(text);
}
