import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { contextFiles, makeBuildContext } from './build-context.js';
import type { ImagePlan, Stage } from './image-plan.js';

/** `/image` in a command, and not `src/image` or `https://`. */
const ABSOLUTE_PATH = /(?<![\w.:/-])\/(?=[a-z])/g;

/** What came of the steps of a Dockerfile: the last stage as a folder, without what its base image has. */
export interface BuiltImage {
  /** Stands for `/`. */
  readonly root: string;
  /** What stands for the Node of the base image. */
  readonly node: string;
  /** Everything in it that is no folder, by its path from the root, and its size in bytes. */
  readonly files: ReadonlyMap<string, number>;
  remove(): void;
}

/**
 * Executes the steps of all stages, each in an empty folder of its own that stands for `/`. The Node that runs this
 * stands for that of the base image, and the user `node` for whoever owns what `chown` gives it.
 */
export function buildImage(plan: ImagePlan, owner: number | null): BuiltImage {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-image-'));
  chmodSync(folder, 0o755);
  try {
    const context = join(folder, 'context');
    makeBuildContext(context);
    const roots = new Map<string | null, string>();
    const tools = makeTools(join(folder, 'tools'), owner);
    plan.stages.forEach((stage, index) => {
      const root = join(folder, `stage-${index}`);
      mkdirSync(root);
      play(stage, { root, context, tools, rootOf: (name) => roots.get(name) ?? '' });
      roots.set(stage.name ?? String(index), root);
    });
    const root = join(folder, `stage-${plan.stages.length - 1}`);
    return {
      root,
      node: join(tools, 'node'),
      files: new Map(filesIn(root).map((file) => [relative(root, file), lstatSync(file).size])),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Scene {
  readonly root: string;
  readonly context: string;
  /** A folder of programs that stand for those of the base image. */
  readonly tools: string;
  readonly rootOf: (stage: string) => string;
}

function play(stage: Stage, { root, context, tools, rootOf }: Scene): void {
  let workdir = '/';
  for (const step of stage.steps) {
    switch (step.kind) {
      case 'workdir':
        workdir = step.path;
        mkdirSync(join(root, workdir), { recursive: true });
        break;
      case 'copy': {
        const target = join(root, resolve(workdir, step.target));
        if (step.from === null)
          for (const file of contextFiles()) copyFile(join(context, file), join(target, file));
        else for (const source of step.sources) copyTree(join(rootOf(step.from), source), target);
        break;
      }
      case 'run':
        execFileSync('sh', ['-ec', step.command.replace(ABSOLUTE_PATH, `${root}/`)], {
          cwd: join(root, workdir),
          env: {
            PATH: `${tools}:${process.env['PATH'] ?? ''}`,
            HOME: process.env['HOME'] ?? '',
            npm_config_prefer_offline: 'true',
            npm_config_update_notifier: 'false',
          },
          stdio: 'pipe',
        });
    }
  }
}

function copyFile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(source, target);
}

function copyTree(source: string, target: string): void {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}

/** `node` is the one of this process, and `chown` knows the users of the base image. */
function makeTools(folder: string, owner: number | null): string {
  mkdirSync(folder);
  const put = (name: string, command: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  // A copy: who runs the image may not be let into the folder where this process has its own.
  copyFileSync(process.execPath, join(folder, 'node'), constants.COPYFILE_FICLONE);
  put('chown', owner === null ? 'exit 0' : `shift; exec /bin/chown ${owner}:${owner} "$@"`);
  return folder;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
