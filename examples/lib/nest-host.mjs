// Compiles an example that is a Nest application, as `nest build` would, and starts it in a process of its own. `flowgate`
// is for it what `npm install flowgate` would bring: this repository's package, built (`npm run build`).
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');

/** `folder`: of the example, as a URL. Resolves with its address, once it listens, and with what stops it. */
export async function startHost(folder) {
  const example = fileURLToPath(folder);
  const project = join(repository, '.tmp', 'examples', `${basename(example)}-${process.pid}`);
  const remove = () => rmSync(project, { recursive: true, force: true });
  try {
    compile(example, project);
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: project,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((done) => child.once('close', done));
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
      remove();
    };
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /listens on (http:\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stdout.resume();
      return { url, stop };
    }
    throw new Error(`${basename(example)} ended before it listened.`);
  } catch (error) {
    remove();
    throw error;
  }
}

function compile(example, project) {
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const installed = resolve(process.env.FLOWGATE_PACKAGE ?? repository);
  symlinkSync(installed, join(project, 'node_modules', 'flowgate'), 'junction');
  // Documents lie beside the code that names them.
  cpSync(join(example, 'src'), join(project, 'dist'), {
    recursive: true,
    filter: (source) => !source.endsWith('.ts'),
  });
  const flags = ['-p', example, '--outDir', join(project, 'dist'), '--noCheck'];
  execFileSync(process.execPath, [compiler, ...flags], { stdio: 'inherit' });
}
