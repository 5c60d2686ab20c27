// Finds the JDKs of this machine: by the variables that name homes, beside the one that `java` is of, and where the
// common version managers put them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const NAMES_A_HOME = /^(JAVA|JDK)_?HOME|^(JAVA|JDK)_?\d+(_HOME)?$/i;
/** Folders of the home folder that hold a JDK each in a folder of its own. */
const MANAGERS = [
  '.sdkman/candidates/java',
  '.jdks',
  '.asdf/installs/java',
  '.local/share/mise/installs/java',
];

/**
 * The home of the JDK that `java` runs on, and its version's first number. Throws a sentence that says what to install.
 */
export function defaultJdk() {
  const java = process.env.JAVA_HOME ? program(process.env.JAVA_HOME, 'java') : 'java';
  const settings = said(java, ['-XshowSettings:properties', '-version']);
  const home = /^ *java\.home = (.+)$/m.exec(settings ?? '')?.[1];
  const jdk = home === undefined ? null : jdkAt(home.trim());
  if (jdk === null) {
    throw new Error(
      'The Java client is built by a JDK of 17 or later, and `java` is none here: install one (Debian: openjdk-17-jdk-headless), or point JAVA_HOME at it.',
    );
  }
  return jdk;
}

/** The newest JDK of at least that version; null where there is none. */
export function newestJdk(atLeast, known = defaultJdk()) {
  const found = candidates(known.home)
    .map(jdkAt)
    .filter((jdk) => jdk !== null && jdk.version >= atLeast);
  return found.sort((a, b) => b.version - a.version)[0] ?? null;
}

function candidates(home) {
  const named = Object.entries(process.env).flatMap(([name, value]) =>
    NAMES_A_HOME.test(name) && value ? [value] : [],
  );
  const folders = [dirname(realpathSync(home)), ...MANAGERS.map((folder) => join(homedir(), folder))];
  return [...named, ...folders.flatMap((folder) => entriesOf(folder))];
}

function entriesOf(folder) {
  // On macOS the home lies two folders deeper.
  return existsSync(folder)
    ? readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')])
    : [];
}

/** Null where there is none, or only what runs Java and does not compile it. */
function jdkAt(home) {
  const release = join(home, 'release');
  const isThere = existsSync(release) && ['java', 'javac'].every((name) => existsSync(program(home, name)));
  const version = isThere ? /^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] : undefined;
  return version === undefined ? null : { home, version: Number(version) };
}

export function program(home, name) {
  return join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Java says its settings on the other stream. */
function said(command, args) {
  try {
    return execFileSync('sh', ['-c', '"$0" "$@" 2>&1', command, ...args], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
