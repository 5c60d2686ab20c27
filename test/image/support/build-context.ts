import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import dockerIgnore from '@balena/dockerignore';

/** What lies about where somebody works, and must get into no image. */
const LYING_ABOUT: Readonly<Record<string, string>> = {
  '.env': 'FLOWGATE_SECRET_TOKEN=tr0ub4dor',
  '.npmrc': '//registry.example.com/:_authToken=tr0ub4dor',
  'src/.env': 'FLOWGATE_SECRET_TOKEN=tr0ub4dor',
  '.git/config': 'url = https://ann:tr0ub4dor@example.com/',
  '.flowgate/runs.db': 'tr0ub4dor',
  'hello.bindings.json': '{"authorization": "tr0ub4dor"}',
  'dist/of-yesterday.js': 'tr0ub4dor',
  'dist/main.js': 'throw new Error("of yesterday")',
  'node_modules/typescript/package.json': '{"version": "0.0.0"}',
};

/** The files of this repository that a build would be given, and with them what lies about and should be kept out. */
export function makeBuildContext(folder: string): void {
  for (const file of sources()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  for (const [file, text] of Object.entries(LYING_ABOUT)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** The files of the context that .dockerignore lets through. */
export function contextFiles(): readonly string[] {
  const ignored = dockerIgnore.default().add(readFileSync('.dockerignore', 'utf8'));
  return [...new Set([...sources(), ...Object.keys(LYING_ABOUT)])].filter((file) => !ignored.ignores(file));
}

/** What git knows, and what is new and not ignored. */
function sources(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...new Set(listed.split('\0'))].filter((file) => file !== '' && existsSync(file));
}
