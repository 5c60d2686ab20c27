/** The oldest Node that the package runs on, as `engines` of package.json says; a test compares them. */
export const OLDEST_NODE = [22, 13] as const;

/** The message to users whose Node is too old; null: it is not. Imports nothing, so that it runs on any Node. */
export function tooOldFor(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Flowgate needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${version}: install a newer one.`;
}
