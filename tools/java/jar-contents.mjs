// What a user gets in the jar: nothing but the client, and one package that is open to others.
import assert from 'node:assert/strict';
import { program } from './jdks.mjs';
import { run } from './run.mjs';

const PACKAGE = 'io.flowgate.client';
const OURS = /^(META-INF\/|module-info\.class$|io\/$|io\/flowgate\/)/;
const WITHIN_MS = 30_000;

/** Asks the JDK's own tools. `dependencies` is the folder that a project has the jar and what it needs in. */
export async function checkJar(home, jar, dependencies) {
  const options = { withinMs: WITHIN_MS };
  const names = (await run(program(home, 'jar'), ['--list', '--file', jar], options)).trim().split('\n');
  assert.deepEqual(
    names.filter((name) => !OURS.test(name)),
    [],
    'the jar holds what is not ours',
  );
  for (const name of ['META-INF/LICENSE', 'META-INF/NOTICE', 'module-info.class']) {
    assert.ok(names.includes(name), `the jar has no ${name}`);
  }

  const module = await run(program(home, 'jar'), ['--describe-module', '--file', jar], options);
  const exported = module.split('\n').filter((line) => /^(qualified )?(exports|opens) /.test(line));
  assert.deepEqual(exported, [`exports ${PACKAGE}`], 'what the module exports');

  // Jackson, the schema and YAML are how it is done, and could be others tomorrow.
  const modules = ['--module-path', dependencies, '--module', PACKAGE];
  const args = ['--api-only', '-verbose:class', '--multi-release', '17', ...modules];
  const used = await run(program(home, 'jdeps'), args, options);
  const types = [...used.matchAll(/^ +io\.flowgate\.client\S* +-> (\S+)/gm)].map(([, name]) => name);
  assert.ok(types.length > 100, `jdeps found next to no types in the public API: ${used}`);
  assert.deepEqual(
    types.filter((name) => !/^(java\.|io\.flowgate\.client\.[A-Z])/.test(name)),
    [],
    'the public API names types of others, or of its own inside',
  );
}
