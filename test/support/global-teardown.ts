import { rmSync } from 'node:fs';

/** Nothing of a run of tests stays but what the next one uses again. Jest loads it as CommonJS: no file of ours. */
export default function globalTeardown(): void {
  const folder = process.env['FLOWGATE_TESTED_PACKAGE'];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
