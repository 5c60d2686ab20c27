// Makes schemas/openapi.json, and its sibling of the other statuses, from the built service: `npm run openapi`.
import { writeFileSync } from 'node:fs';
import * as swagger from '@nestjs/swagger';
import { format, resolveConfig } from 'prettier';
import { createService } from '../../dist/app.module.js';
import { readConfig } from '../../dist/config/read-config.js';
import { openApiDocument } from './document.mjs';

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
    const text = JSON.stringify(openApiDocument(app, swagger));
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'json' }));
  } finally {
    await app.close();
  }
}
