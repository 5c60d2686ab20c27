// Puts beside the build what the page at /docs is made of: two files of swagger-ui, and its licence. As a dependency the
// package would bring ten times as much, and an install script that reports who installs it.
import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const TARGET = 'dist/docs-page';
const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
];

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
mkdirSync(TARGET, { recursive: true });
for (const file of FILES) cpSync(join(source, file), join(TARGET, file));
