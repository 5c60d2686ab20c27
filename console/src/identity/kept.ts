/** What the tab remembers; where there is no storage, or no room in it, what this page remembers. */
const instead = new Map<string, string>();

/** A text of this tab, gone with it. */
export function kept(name: string): string | null {
  return read(() => sessionStorage, name);
}

export function keep(name: string, value: string | null): void {
  write(() => sessionStorage, name, value);
}

/** Forgets the texts of this tab whose names begin so. */
export function keepNone(beginning: string): void {
  for (const name of namesOf(() => sessionStorage))
    if (name.startsWith(`flowgate.${beginning}`)) keep(name.slice('flowgate.'.length), null);
}

/** A preference of this browser: never a secret. */
export function preferred(name: string): string | null {
  return read(() => localStorage, name);
}

export function prefer(name: string, value: string | null): void {
  write(() => localStorage, name, value);
}

function namesOf(storage: () => Storage): readonly string[] {
  const names = [...instead.keys()].map((name) => `flowgate.${name}`);
  try {
    return [...names, ...Object.keys(storage())];
  } catch {
    return names;
  }
}

function read(storage: () => Storage, name: string): string | null {
  const newer = instead.get(name);
  if (newer !== undefined) return newer;
  try {
    return storage().getItem(`flowgate.${name}`);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(`flowgate.${name}`);
    else storage().setItem(`flowgate.${name}`, value);
    instead.delete(name);
  } catch {
    if (value === null) instead.delete(name);
    else instead.set(name, value);
  }
}
