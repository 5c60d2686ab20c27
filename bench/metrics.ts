// `npm run build && node bench/metrics.ts [--quick]`: what metrics and spans cost. By hand, on a quiet machine: it is no part
// of the page of benchmarks until it has results from one.
import { tablesOf } from './page/sections.ts';
import { metrics } from './parts/metrics.ts';
import { FULL, QUICK, say } from './support/part.ts';
import { resultOf } from './support/results.ts';

const quick = process.argv.includes('--quick');
say(`${metrics.name}: ${metrics.title}`);
const findings = await metrics.measure(quick ? QUICK : FULL);
console.log(tablesOf(resultOf(metrics.name, quick, findings)));
