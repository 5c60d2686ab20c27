// A run fails. It is found by its label, its end is read out of its events, and it is tried again from the unit that refused
// it, with other input: what was done before that is not done again, and the run that failed stays as it is.
import { readFile } from 'node:fs/promises';
import { get, post } from '../lib/flowgate.mjs';
import { show } from '../lib/show.mjs';

const yaml = await readFile(new URL('workflow.yaml', import.meta.url), 'utf8');
await post('/workflows/from-yaml', { yaml });

const runs = '/workflows/parcel/runs';
const parcelId = `P-${Date.now()}`;
await post(runs, { input: { parcelId, kilos: 41 }, labels: { parcel: parcelId }, sync: true });

const { items } = await get(`/runs?status=failed&label=parcel:${parcelId}`);
const [{ runId, error }] = items;
console.log(`found ${runId}: ${error}`);

const events = await get(`${runs}/${runId}/events`);
console.log(events.items.map(({ type, data }) => `${type} ${data.unitId ?? ''}`.trim()).join(', '));

const fork = await post(`${runs}/${runId}/fork`, {
  from: { snapshotId: (await get(`${runs}/${runId}/snapshots`)).snapshots[0].snapshotId },
  input: { parcelId, kilos: 14 },
  sync: true,
});
if (fork.status !== 'completed') throw new Error(`The fork did not get through: ${fork.status}.`);
const source = await get(`${runs}/${runId}`);
if (source.status !== 'failed') throw new Error(`The run that failed is ${source.status} now.`);
show('a run that failed is found, and tried again with other input', fork);
