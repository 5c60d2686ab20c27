// Proves that the dependency rules work: writes a small tree of files that break each rule once, and files that keep
// to it, and compares what dependency-cruiser reports with what it must report. A rule that no case breaks fails too.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { cruise } from 'dependency-cruiser';
import configuration from '../../.dependency-cruiser.mjs';

const root = resolve('.tmp/dependency-rules');

/** A room of each part, and another one that it must not know. */
const STRANGERS = {
  'src/engine/runtime': [
    ['telemetry', 'dispatch'],
    ['followers', 'mailbox'],
    ['dispatch', 'mailbox'],
    ['mailbox', 'reading'],
    ['ownership', 'reading'],
    ['reading', 'starting'],
    ['events', 'streams'],
    ['streams', 'starting'],
    ['lists', 'watched-lists'],
    ['watched-lists', 'requests'],
    ['starting', 'children'],
    ['children', 'requests'],
    ['requests', 'transfer'],
    ['transfer', 'requests'],
  ],
  'src/http': [
    ['host-bodies', 'bodies'],
    ['bodies', 'validation'],
    ['refusals', 'identity'],
    ['identity', 'validation'],
    ['access', 'bodies'],
    ['host-guard', 'bodies'],
    ['validation', 'query'],
    ['query', 'refusals'],
    ['long-responses', 'event-stream'],
    ['event-stream', 'bodies'],
    ['web-pages', 'standalone'],
    ['standalone', 'query'],
  ],
  'src/storage/sqlite': [
    ['connection', 'threads'],
    ['schema', 'folder'],
    ['threads', 'operations'],
    ['folder', 'operations'],
    ['marks', 'folder'],
    ['memory', 'operations'],
    ['operations', 'reader'],
    ['reader', 'writer'],
    ['writer', 'reader'],
  ],
};
const roomCases = Object.entries(STRANGERS).flatMap(([part, pairs]) =>
  pairs.map(([room, other]) => [
    `${part}/${room}/one-of-${room}.ts`,
    `${part}/${other}/another-of-${other}.ts`,
    [`${part.split('/').at(-1)}-${room}`],
  ]),
);

/** [file, what it imports, the rules that must speak up] */
const cases = [
  ['src/errors/a-error.ts', 'src/config/options.ts', ['errors-import-nothing']],
  ['src/errors/b-error.ts', 'src/errors/c-error.ts', []],
  ['src/config/options.ts', 'src/errors/a-error.ts', ['no-cycles']],
  ['src/config/reader.ts', 'src/engine/core/state.ts', ['config']],
  ['src/instance.ts', 'src/engine/index.ts', []],
  ['src/instance.ts', 'src/engine/ports/clock.ts', ['instance']],
  ['src/discovery/instance-check.ts', 'src/instance.ts', []],
  ['src/units/units.module.ts', 'src/config/instance-tokens.ts', []],
  ['src/config/service/settings.ts', 'src/engine/engine-defaults.ts', []],
  ['src/engine/request-limits.ts', 'src/engine/core/state.ts', ['stated-once']],
  ['src/openapi/schemas/list.ts', 'src/engine/vocabulary.ts', []],
  ['src/mcp/tools/tools.ts', 'src/runs/dto/start-run.dto.ts', []],
  ['src/mcp/tools/tools.ts', 'src/runs/dto/unread-words.ts', ['mcp']],
  ['src/engine/core/state.ts', 'immutable', []],
  ['src/engine/core/flow.ts', 'src/engine/ports/clock.ts', ['core']],
  ['src/engine/core/hash.ts', 'node:crypto', ['core-is-pure']],
  ['src/engine/core/document.ts', 'yaml', ['core-uses-only-immutable']],
  ['src/engine/core/state.test.ts', 'fast-check', []],
  ['src/engine/language/compiler/compile.ts', 'src/engine/core/state.ts', []],
  ['src/engine/language/resolve.ts', 'src/engine/units/registry.ts', ['language']],
  ['src/engine/language/reader/read.ts', 'src/engine/core/json.ts', []],
  ['src/engine/language/reader/parse.ts', 'src/engine/language/compiler/compile.ts', ['reader']],
  ['src/engine/language/reader/schema.ts', 'node:fs', ['reader-runs-in-browsers']],
  ['src/engine/json/copy.ts', 'src/engine/ports/clock.ts', ['json']],
  ['src/engine/definitions/registrar.ts', 'src/engine/runtime/live-run.ts', ['definitions']],
  ['src/engine/ports/clock.ts', 'src/engine/core/state.ts', []],
  ['src/engine/ports/store.ts', 'src/engine/language/compiler/compile.ts', ['ports']],
  ['src/engine/run-record.ts', 'src/engine/ports/clock.ts', ['run-record']],
  ['src/engine/runtime/live-run.ts', 'src/engine/units/registry.ts', ['runtime']],
  ['src/engine/runtime/live-run.ts', 'src/engine/scheduling/load.ts', []],
  ['src/engine/scheduling/load.ts', 'src/engine/ports/clock.ts', []],
  ['src/http/slow-response.ts', 'src/engine/scheduling/slice.ts', []],
  ['src/http/slow-response.ts', 'src/engine/scheduling/semaphore.ts', ['http']],
  ['src/engine/scheduling/throttle.ts', 'src/engine/runtime/record.ts', ['scheduling']],
  ['src/engine/runtime/record.ts', 'src/engine/run-record.ts', []],
  ['src/engine/units/registry.ts', 'src/engine/drivers/local/heap.ts', ['units']],
  ['src/engine/units/http.ts', '@nestjs/common', ['no-nest-in-engine-and-storage']],
  ['src/engine/units/builtin/mcp/tool-client.ts', '@modelcontextprotocol/client', []],
  [
    'src/engine/units/builtin/mcp/mcp-units.ts',
    '@modelcontextprotocol/client',
    ['mcp-client-is-of-the-tool-client'],
  ],
  ['src/engine/units/unit-registry.ts', 'src/engine/units/builtin/mcp/mcp-units.ts', []],
  [
    'src/engine/units/unit-registry.ts',
    'src/engine/units/builtin/mcp/tool-client.ts',
    ['mcp-client-is-loaded-late'],
  ],
  ['src/engine/drivers/local/heap.ts', 'src/engine/drivers/local/timer.ts', []],
  ['src/engine/drivers/local/heap.ts', 'src/engine/scheduling/load.ts', []],
  ['src/engine/drivers/restate/wake.ts', 'src/engine/drivers/local/heap.ts', ['drivers']],
  ['src/engine/engine.ts', 'src/engine/runtime/record.ts', []],
  ['src/engine/access/roles.ts', 'src/engine.module.ts', ['acting']],
  ['src/engine/facets/runs.ts', 'src/engine.module.ts', ['facets']],
  ['src/engine/facets/gates.ts', 'src/engine/assembly/units.ts', ['rooms-are-put-together-once']],
  ['src/engine/assemble.ts', 'src/engine/assembly/units.ts', []],
  ['src/engine/assembly/units.ts', 'src/engine/units/registry.ts', []],
  ['src/engine/assembly/mailbox.ts', 'src/engine/facets/runs.ts', ['assembly']],
  ['src/engine/engine-options.ts', 'src/storage/sqlite/store.ts', ['engine']],
  ['src/engine/index.ts', 'src/engine.module.ts', ['engine-entry']],
  ['src/engine/index.ts', 'src/engine/in-memory/store.ts', []],
  ['src/engine/in-memory/store.ts', 'src/engine/runtime/record.ts', ['in-memory']],
  ['src/engine/registrar.ts', 'src/engine.module.ts', ['engine']],
  ['src/engine.module.ts', '@nestjs/common', []],
  ['src/engine.module.ts', 'src/runs/runs.module.ts', ['engine-module']],
  ['src/logging/nest-logger.ts', 'src/engine/index.ts', []],
  ['src/logging/plain-logger.ts', 'src/config/version.ts', ['logging']],
  ['src/engine/testing/contract.ts', 'src/engine/engine.ts', []],
  ['src/engine/testing/fakes.ts', 'src/storage/sqlite/store.ts', ['engine-testing']],
  ['src/storage/sqlite/store.ts', 'src/engine/ports/store.ts', []],
  ['src/storage/sqlite/store.test.ts', 'src/engine/testing/contract.ts', []],
  [
    'src/engine/in-memory/contract.ts',
    'src/engine/testing/contract.ts',
    ['in-memory', 'nothing-imports-engine-testing'],
  ],
  ['src/storage/sqlite/store.ts', 'src/storage/restate/store.ts', ['storage']],
  ['src/storage/sqlite/store.provider.ts', '@nestjs/core', ['no-nest-in-engine-and-storage']],
  ['src/storage/sqlite/memory-index.ts', 'src/engine/ports/memory/memory-terms.ts', []],
  ['src/storage/storage.module.ts', 'src/storage/sqlite/store.ts', []],
  ['src/storage/storage.module.ts', 'src/runs/runs.module.ts', ['storage-module']],
  ['src/storage/storage.module.ts', 'src/postgres.ts', []],
  ['src/storage/postgres/client/pg-client.ts', 'pg', []],
  ['src/storage/postgres/append.ts', 'pg', ['pg-is-of-the-database']],
  ['src/postgres.ts', 'src/engine/drivers/postgres/driver.ts', []],
  ['src/postgres/lazy-database.ts', 'src/storage/postgres/pg-database.ts', []],
  ['src/postgres/parts.ts', 'src/engine/engine.ts', ['postgres']],
  ['src/http/filter.ts', 'src/runs/runs.service.ts', ['http']],
  ['src/http/identity/request-contexts.ts', 'src/engine/index.ts', []],
  ['src/http/identity/request-contexts.ts', 'src/config/instance-tokens.ts', []],
  ['src/http/identity/caller.ts', 'src/runs/runs.service.ts', ['http-as-whom']],
  ['src/runs/runs.service.ts', 'src/config/instance-tokens.ts', ['the-engine-of-the-request']],
  ['src/workflows/workflow-folder.ts', 'src/config/instance-tokens.ts', []],
  ['src/engine/access/acting/acting-runs.ts', 'src/engine/facets/runs.ts', []],
  ['src/engine/access/grant-policy.ts', 'src/engine.module.ts', ['acting']],
  ['src/access/keys/keys.ts', 'src/engine/index.ts', []],
  ['src/access/keys/keys.ts', 'src/runs/runs.service.ts', ['access']],
  ['src/http/edge.module.ts', 'src/openapi/statuses-in-use.ts', ['http']],
  ['src/http/guard.ts', 'src/access/authenticator.ts', []],
  ['src/openapi/operation.ts', 'src/runs/runs.service.ts', ['openapi']],
  ['src/access/keys.controller.ts', 'src/http/filter.ts', []],
  ['src/access/keys.controller.ts', 'src/runs/runs.service.ts', ['access']],
  ['src/runs/runs.controller.ts', 'src/hitl/hitl.service.ts', []],
  ['src/runs/runs.service.ts', 'src/engine/index.ts', []],
  ['src/runs/runs.module.ts', 'src/hitl/dto/answer.dto.ts', ['runs']],
  ['src/hitl/hitl.service.ts', 'src/engine/runtime/record.ts', ['hitl']],
  ['src/memory/memory.service.ts', 'src/storage/sqlite/store.ts', ['memory']],
  ['src/workflows/workflows.service.ts', 'src/mcp/tools/tool-operations.ts', ['workflows']],
  ['src/access/keys/key-lookup.ts', 'src/engine/scheduling/semaphore.ts', []],
  ['src/access/authentication.ts', 'src/runs/runs.service.ts', ['access']],
  ['src/access/keys/guard.ts', '@nestjs/common', ['no-nest-in-engine-and-storage']],
  ['src/access/tokens/signing-keys.ts', 'jose', []],
  ['src/access/credentials.ts', 'jose', ['jose-is-of-the-tokens']],
  ['src/discovery/methods.ts', 'src/engine/index.ts', ['discovery']],
  ['src/units/register-units.ts', 'src/engine/index.ts', []],
  ['src/units/unit.decorator.ts', 'src/run-events/hook.ts', ['units']],
  ['src/run-events/run-hooks.ts', 'src/http/filter.ts', ['run-events']],
  ['src/features/feature.module.ts', 'src/workflows/workflows.service.ts', ['features']],
  ['src/flowgate/providers.module.ts', 'src/units/units.module.ts', []],
  ['src/flowgate/flowgate.ts', 'src/units/register-units.ts', ['flowgate']],
  ['src/workflows/workflow-folder.ts', 'src/features/feature-workflows.ts', []],
  ['src/testing/test-kit.ts', 'src/engine/testing/manual-clock.ts', []],
  ['src/testing/test-run.ts', 'src/engine/runtime/record.ts', ['testing']],
  ['src/mcp/tools/tool-operations.ts', 'src/hitl/hitl.service.ts', []],
  ['src/mcp/tools/tool-operations.ts', 'src/engine/runtime/record.ts', ['mcp']],
  ['src/mcp/plain/plain-gateway.ts', 'src/mcp/tools/tool-operations.ts', []],
  ['src/mcp/plain/plain-gateway.ts', 'src/runs/runs.service.ts', ['mcp-plain']],
  ['src/mcp/plain/rpc-request.ts', 'src/mcp/json-rpc.ts', []],
  ['src/mcp/plain/rpc-request.ts', '@modelcontextprotocol/server', ['mcp-sdk-is-official']],
  ['src/mcp/official/sessions/serving.ts', '@modelcontextprotocol/server', []],
  ['src/mcp/mcp.controller.ts', 'src/mcp/official/official-gateway.ts', []],
  ['src/mcp/mcp.controller.ts', 'src/mcp/official/sessions/serving.ts', ['mcp-sdk-is-loaded-late']],
  ['src/app.module.ts', 'src/runs/runs.module.ts', []],
  ['src/flowgate.module.ts', 'src/runs/runs.service.ts', ['composition-root']],
  ['src/main.ts', 'src/runs/runs.module.ts', ['main']],
  ['src/shut-down.ts', 'src/runs/runs.module.ts', ['shut-down']],
  ['src/health/health.controller.ts', 'src/runs/dto/start-run.dto.ts', ['health']],
  ['src/serve.ts', 'src/hitl/hitl.service.ts', ['serve']],
  ['src/cli/run/run-workflow.ts', 'src/engine/index.ts', []],
  ['src/cli/serve/serve-command.ts', 'src/serve.ts', []],
  ['src/cli/remote/watch.ts', 'clients/typescript/dist/esm/index.ts', []],
  ['src/cli/remote/get.ts', 'clients/typescript/src/client.ts', ['src-is-self-contained']],
  ['src/http/form.ts', 'clients/typescript/dist/esm/index.ts', ['only-the-command-line-asks-a-server']],
  ['src/cli/command-line.ts', 'src/engine/runtime/record.ts', ['cli']],
  ['src/cli/input/read-text.ts', '@nestjs/common', ['no-nest-in-the-command-line']],
  ['src/metrics/meter.ts', 'src/engine/index.ts', []],
  ['src/metrics/families.ts', 'src/engine/runtime/record.ts', ['metrics']],
  ['src/tracing/otlp-tracing.ts', '@opentelemetry/sdk-trace', []],
  ['src/tracing/tracing.module.ts', '@opentelemetry/resources', ['opentelemetry-is-loaded-late']],
  ['src/tracing/report.ts', 'src/http/filter.ts', ['tracing']],
  ['src/engine/runtime/telemetry/run-tracing.ts', '@opentelemetry/api', []],
  ['src/engine/runtime/telemetry/lazy-tracing.ts', '@opentelemetry/api', ['opentelemetry-is-loaded-late']],
  ['src/node-version.ts', 'src/config/service/settings.ts', ['node-version']],
  ['src/node-version-check.ts', 'src/config/service/settings.ts', ['node-version-check']],
  ['src/start-memory.ts', 'src/config/service/settings.ts', ['start-memory']],
  ['src/index.ts', 'src/main.ts', ['public-surface']],
  ['src/stray/helper.ts', 'src/errors/b-error.ts', ['every-file-has-a-row']],
  ['src/http/guard.ts', 'test/support/server.ts', ['src-is-self-contained']],
  ['src/http/dto.ts', 'fast-check', ['only-declared-packages']],
  ['src/http/gone.ts', 'src/http/missing-file.ts', ['no-unresolvable']],
  ['src/console/console.ts', 'src/http/edge.ts', []],
  ['src/console/console.ts', 'src/engine/index.ts', ['console']],
  ['src/console/console.ts', 'console/src/boot.ts', ['src-is-self-contained']],
  ['src/guide/guide.ts', 'src/http/edge.ts', []],
  ['src/guide/guide.ts', 'src/engine/index.ts', ['guide']],
  ['clients/typescript/src/client.ts', 'src/engine/index.ts', ['client-is-independent']],
  ['clients/typescript/src/check.ts', 'src/engine/language/reader/read.ts', []],
  ['clients/typescript/src/refusal.ts', 'src/errors/wording.ts', []],
  ['clients/typescript/test/both-modes.test.ts', 'src/engine/index.ts', []],
  ['src/engine/runtime/mailbox/two.ts', 'src/engine/runtime/run-shell.ts', []],
  ['src/engine/runtime/children/two.ts', 'src/engine/runtime/mailbox/three.ts', []],
  ['src/engine/runtime/attic/old.ts', 'src/errors/b-error.ts', ['every-room-has-a-row']],
  ['test/e2e/any.test.ts', 'src/engine/runtime/record.ts', []],
  ...roomCases,
];

const isFile = (target) => /^(src|test|clients|console)\//.test(target);

function writeTree() {
  rmSync(root, { recursive: true, force: true });
  const sources = new Map();
  const add = (file, line) => sources.set(file, `${sources.get(file) ?? ''}${line}\n`);
  for (const [file, target] of cases) {
    const path = relative(dirname(file), target).replace(/\.ts$/, '.js');
    const specifier = !isFile(target) ? target : path.startsWith('.') ? path : `./${path}`;
    add(file, `import type {} from '${specifier}';`);
    if (isFile(target) && !target.includes('missing')) add(target, '');
  }
  for (const [file, source] of sources) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({
      type: 'module',
      dependencies: {
        '@modelcontextprotocol/client': '*',
        '@modelcontextprotocol/server': '*',
        '@nestjs/common': '*',
        '@nestjs/core': '*',
        '@opentelemetry/api': '*',
        '@opentelemetry/resources': '*',
        '@opentelemetry/sdk-trace': '*',
        immutable: '*',
        jose: '*',
        pg: '*',
        yaml: '*',
      },
      devDependencies: { 'fast-check': '*' },
    }),
  );
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
}

const { options, ...ruleSet } = configuration;
writeTree();
const { output } = await cruise(
  ['src', 'test', 'clients', 'console'],
  { ...options, baseDir: root, validate: true, ruleSet },
  options.enhancedResolveOptions,
);

const line = (file, target, rule) => `${file} → ${target}: ${rule}`;
const expected = cases.flatMap(([file, target, rules]) => rules.map((rule) => line(file, target, rule)));
/** A case's own words for what dependency-cruiser reports as resolved (`crypto`, `node_modules/yaml/…`, `./x.js`). */
const specifierOf = ({ from, to }) => {
  const essence = (target) => target.replace(/^node:|^.*\/(?=missing)|\.ts$/g, '');
  const broken = cases.find(([file, target]) => file === from && to.includes(essence(target)));
  return broken?.[1] ?? to;
};
const found = output.summary.violations.map((v) => line(v.from, specifierOf(v), v.rule.name));

const problems = [
  ...expected.filter((one) => !found.includes(one)).map((one) => `not found:  ${one}`),
  ...found.filter((one) => !expected.includes(one)).map((one) => `unexpected: ${one}`),
  ...configuration.forbidden
    .filter(({ name }) => !cases.some(([, , rules]) => rules.includes(name)))
    .map(({ name }) => `no case breaks the rule ${name}: add one`),
];
rmSync(root, { recursive: true, force: true });
if (problems.length > 0) {
  process.stderr.write(`The dependency rules do not do what they say:\n${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(
  `Dependency rules: ${expected.length} forbidden imports found, nothing else reported.\n`,
);
