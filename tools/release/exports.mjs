import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const FOLDER = resolve('.tmp', 'api');

/** What can be imported, by the address that it is imported from: the types of the build, and the package that they belong to. */
const ENTRIES = {
  flowgate: ['dist/index.d.ts', 'package.json'],
  'flowgate/engine': ['dist/engine/index.d.ts', 'package.json'],
  'flowgate/postgres': ['dist/postgres.d.ts', 'package.json'],
  'flowgate/testing': ['dist/testing/index.d.ts', 'package.json'],
  'flowgate-client': ['clients/typescript/dist/esm/index.d.ts', 'clients/typescript/package.json'],
};

const COMPILER_OPTIONS = {
  target: 'ES2024',
  lib: ['ESNext', 'DOM', 'DOM.AsyncIterable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

const silent = { default: { logLevel: 'none' } };

/** Lines `address: declaration`, one for each thing that is exported, with its whole type. */
export function exportedLines() {
  return Object.entries(ENTRIES).flatMap(([address, [types, manifest]]) =>
    declarationsIn(reportOf(address, types, manifest)).map((declaration) => `${address}: ${declaration}`),
  );
}

function reportOf(address, types, manifest) {
  mkdirSync(FOLDER, { recursive: true });
  const reportFileName = address.replace('/', '-');
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: dirname(resolve(manifest)),
      mainEntryPointFilePath: resolve(types),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [resolve(types)] } },
      apiReport: { enabled: true, reportFileName, reportFolder: FOLDER, reportTempFolder: FOLDER },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
    packageJsonFullPath: resolve(manifest),
    configObjectFullPath: undefined,
  });
  const { errorCount } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error';
    },
  });
  if (errorCount > 0) throw new Error(`The types of ${address} cannot be read: run \`npm run build\` first.`);
  return readFileSync(resolve(FOLDER, `${reportFileName}.api.md`), 'utf8');
}

/** The exported declarations of a report, a line each, without its remarks. */
function declarationsIn(report) {
  const code = /```ts\n([\s\S]*?)```/.exec(report)?.[1] ?? '';
  return code
    .split(/\n{2,}/)
    .map((block) =>
      block
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('//'))
        .join(' '),
    )
    .filter((block) => block.startsWith('export '));
}
