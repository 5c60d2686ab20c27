// Makes schemas/openapi.json, its sibling of the other statuses, the schema of events, and the lists of fields in
// docs/http/: `npm run openapi`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as swagger from '@nestjs/swagger';
import { format, resolveConfig } from 'prettier';
import { createService } from '../../dist/app.module.js';
import { readConfig } from '../../dist/config/service/read-config.js';
import { eventDocument } from '../../dist/openapi/schemas/event-schemas.js';
import { openApiDocument } from './document.mjs';
import { withShapes } from './shapes.mjs';

/** By the statuses that they show. */
const FILES = { interface: 'schemas/openapi.json', conventional: 'schemas/openapi.conventional.json' };
for (const [statuses, file] of Object.entries(FILES)) {
  const { config } = readConfig({
    FLOWGATE_STORE: 'memory',
    LOG_LEVEL: 'silent',
    FLOWGATE_STATUSES: statuses,
  });
  const app = await createService(config);
  try {
    await write(file, openApiDocument(app, swagger));
  } finally {
    await app.close();
  }
}
await write('schemas/run-events.v1.schema.json', eventDocument());

const published = JSON.parse(readFileSync(FILES.interface, 'utf8'));
for (const name of readdirSync('docs/http')) {
  const file = `docs/http/${name}`;
  const page = withShapes(readFileSync(file, 'utf8'), published);
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

async function write(file, document) {
  const options = { ...(await resolveConfig(file)), parser: 'json' };
  writeFileSync(file, await format(JSON.stringify(document), options));
}
