// Makes the project of a host in a folder: its manifest and its sources, installed and compiled as its team would.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const APP = resolve('tools', 'hosts', 'app');
const INSTALL_WITHIN_MS = 240_000;
const COMPILE_WITHIN_MS = 120_000;

/** What a team has beside Nest. */
const OF_EVERY_HOST = {
  'class-transformer': '0.5.1',
  'class-validator': '0.15.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
};

const STRICT = {
  target: 'ES2022',
  lib: ['ES2022'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: false,
  outDir: 'dist',
  rootDir: 'src',
};

/** `tarballs`: where the packed packages are. */
export function writeProject(folder, host, tarballs) {
  const { type, versions, adapter, typescript, resolution, manager } = host;
  mkdirSync(join(folder, 'src'), { recursive: true });
  const client = `file:${join(tarballs, 'flowgate-client.tgz')}`;
  writeJson(join(folder, 'package.json'), {
    name: host.name,
    version: '1.0.0',
    private: true,
    type,
    dependencies: {
      '@nestjs/common': versions.nest,
      '@nestjs/core': versions.nest,
      [`@nestjs/platform-${adapter}`]: versions[adapter],
      ...OF_EVERY_HOST,
      flowgate: `file:${join(tarballs, 'flowgate.tgz')}`,
      'flowgate-client': client,
    },
    devDependencies: { '@types/node': '24.19.2', typescript },
    // npm finds the client beside flowgate; pnpm would ask the registry, where it is not published yet.
    ...(manager === 'pnpm' ? { pnpm: { overrides: { 'flowgate-client': client } } } : {}),
  });
  cpSync(join(APP, 'main.ts'), join(folder, 'src', 'main.ts'));
  cpSync(join(APP, `${adapter}.ts`), join(folder, 'src', 'create.ts'));
  writeJson(join(folder, 'tsconfig.json'), {
    compilerOptions: { ...STRICT, ...resolution },
    include: ['src'],
  });
}

const COMMANDS = {
  npm: () => ['npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']],
  pnpm: () => [
    process.execPath,
    [
      resolve('node_modules', 'pnpm', 'bin', 'pnpm.cjs'),
      'install',
      '--prefer-offline',
      '--strict-peer-dependencies',
      '--loglevel=error',
    ],
  ],
};

export async function install(folder, { manager }) {
  const [command, flags] = COMMANDS[manager]();
  await told(command, flags, { cwd: folder, timeout: INSTALL_WITHIN_MS });
}

export async function compile(folder) {
  await told(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], {
    cwd: folder,
    timeout: COMPILE_WITHIN_MS,
  });
}

/** The folders in which a package lies, however often; what is linked to them counts once. */
export function copiesOf(folder, name) {
  const found = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === 'package.json')
    .map((entry) => entry.parentPath)
    .filter((path) => path.endsWith(join('node_modules', name)));
  return [...new Set(found.map((path) => realpathSync(path)))];
}

/** Rejects with all that the command said. */
export async function told(command, flags, options) {
  try {
    return await run(command, flags, { ...options, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    throw new Error(
      `${flags.join(' ')} ended with ${error.code}:\n${error.stdout ?? ''}${error.stderr ?? ''}`,
      {
        cause: error,
      },
    );
  }
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
