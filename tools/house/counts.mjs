// What can be counted of the house without running it: files, lines, types, folders and their circles.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The service; and the console, of which the same is expected where it can be: folders that can be read, and no circles. */
const SRC = resolve('src');
const CONSOLE = resolve('console/src');
/** A source that is made, and not committed, begins with this. */
const MADE = '// Made from ';
/** A folder with more files than that has to be searched, not read. */
const A_DOZEN = 12;
const LARGE_LINES = 300;
const SMALL_LINES = 25;

/** Every source file below a folder with its text, tests apart. */
function sources(folder = SRC) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative('.', path), text: readFileSync(path, 'utf8') }));
}

function isCommitted(path) {
  return execFileSync('git', ['ls-files', path], { encoding: 'utf8' }) !== '';
}

const linesOf = (text) => text.split('\n').length - 1;

function isComment(line) {
  const trimmed = line.trim();
  return trimmed.startsWith('//') || trimmed.startsWith('/*') || trimmed.startsWith('*');
}

const codeLinesOf = (text) =>
  text.split('\n').filter((line) => line.trim() !== '' && !isComment(line)).length;

const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) [A-Za-z_$]/gm;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The folders that a file imports values from, relative to the root. Types alone make no circle. */
function importedFolders({ path, text }) {
  const folders = new Set();
  const imports = text.matchAll(/^(import|export)\s(?!type\b)([^;]*?)from '(\.[^']*)'/gms);
  for (const [, , names, specifier] of imports) {
    const bindings = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim());
    if (bindings.every((name) => name === '' || name.startsWith('type '))) continue;
    folders.add(dirname(join(dirname(path), specifier)));
  }
  return folders;
}

/** Groups of folders each of which can be reached from each other one (Tarjan), of two or more. */
function circlesOf(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

/** The kernel is one room with shelves: its folders import one another as they like. */
const KERNEL = 'src/engine/core';

/**
 * The circles of rooms that stand side by side in one folder, each with all that is in it. What lies directly in a folder may
 * import its rooms and be imported by them: it is what they have in common.
 */
function siblingCircles(imports) {
  const parents = new Map();
  for (const [from, to] of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    let depth = 0;
    while (depth < a.length && a[depth] === b[depth]) depth++;
    if (depth === a.length || depth === b.length) continue;
    const parent = a.slice(0, depth).join('/');
    const graph = parents.get(parent) ?? parents.set(parent, new Map()).get(parent);
    const [one, other] = [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
    if (!graph.has(one)) graph.set(one, new Set());
    if (!graph.has(other)) graph.set(other, new Set());
    graph.get(one).add(other);
  }
  parents.delete(KERNEL);
  return [...parents.values()].flatMap(circlesOf);
}

/** The ports of the store: what RunStore is made of, and how many methods the largest of them has. */
function portsOfStore(files) {
  const textOf = (name) => files.find(({ path }) => path === `src/engine/ports/store/${name}.ts`).text;
  const names = /interface RunStore extends ([^{]*)\{/.exec(textOf('run-store'))[1].split(',');
  const methods = names.map((name) => {
    const file = name.trim().replace(/(?<=[a-z])(?=[A-Z])/g, '-');
    return textOf(file.toLowerCase()).match(/^  [a-z]\w*\??\(/gm).length;
  });
  return { storePorts: names.length, portMethods: Math.max(...methods) };
}

/** How many files are in each folder, and which folders import which. */
function foldersOf(files) {
  const perFolder = new Map();
  const imports = [];
  for (const file of files) {
    const folder = dirname(file.path);
    perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
    for (const imported of importedFolders(file)) if (imported !== folder) imports.push([folder, imported]);
  }
  return { perFolder, imports };
}

export function counts() {
  const files = sources();
  const byHand = files.filter(({ text }) => !text.startsWith(MADE));
  const lines = byHand.map(({ text }) => linesOf(text));
  const { perFolder, imports } = foldersOf(byHand);
  const ofConsole = sources(CONSOLE);
  const consoleFolders = foldersOf(ofConsole);
  for (const [folder, count] of consoleFolders.perFolder) perFolder.set(folder, count);
  const circles = siblingCircles(imports);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return {
    figures: {
      files: byHand.length,
      lines: sum(lines),
      codeLines: sum(byHand.map(({ text }) => codeLinesOf(text))),
      medianLines: median(lines),
      largeFiles: lines.filter((count) => count > LARGE_LINES).length,
      smallFiles: lines.filter((count) => count < SMALL_LINES).length,
      generatedLines: sum(
        files
          .filter(({ path, text }) => text.startsWith(MADE) && isCommitted(path))
          .map(({ text }) => linesOf(text)),
      ),
      exportedTypes: sum(byHand.map(({ text }) => text.match(EXPORTED_TYPE)?.length ?? 0)),
      consoleFiles: ofConsole.length,
      consoleLargeFiles: ofConsole.filter(({ text }) => linesOf(text) > LARGE_LINES).length,
      fullFolders: [...perFolder.values()].filter((count) => count > A_DOZEN).length,
      folderCircles: circles.length,
      ...portsOfStore(byHand),
    },
    fullFolders: [...perFolder].filter(([, count]) => count > A_DOZEN).sort((a, b) => b[1] - a[1]),
    circles,
  };
}
