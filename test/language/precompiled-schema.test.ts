import { readFileSync } from 'node:fs';
import { precompile } from '../../tools/schema/precompile.mjs';

it('the code that checks documents is what the published schema says: npm run schema', async () => {
  const code = readFileSync('src/engine/language/reader/precompiled-schema.ts', 'utf8');
  expect(code === (await precompile())).toBe(true);
});
