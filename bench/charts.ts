// `npm run bench:charts`: writes the charts, and the tables of docs/benchmarks.md, from the results.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartOf } from './page/charts.ts';
import { CHARTS, fill, PAGE } from './page/page.ts';
import { sectionsOf } from './page/sections.ts';
import { readResults } from './support/results.ts';

const results = readResults();
mkdirSync(CHARTS, { recursive: true });
for (const [part, result] of results) writeFileSync(join(CHARTS, `${part}.svg`), chartOf(result));
writeFileSync(PAGE, fill(readFileSync(PAGE, 'utf8'), sectionsOf(results)));
console.log(`${results.size} charts in ${CHARTS}, tables in ${PAGE}`);
