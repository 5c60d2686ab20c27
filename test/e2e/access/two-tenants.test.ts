import { setTimeout as delay } from 'node:timers/promises';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import { routesOf } from '../../docs/support/routes.js';
import { Choices, printedSeed } from '../../crash/support/choices.js';
import { lawCases } from '../../support/law-cases.js';
import {
  DEEDS,
  documentsFor,
  released,
  settled,
  ROUTES,
  TOOL_NAMES,
  type Numbers,
} from './support/tenants/deeds.js';
import { LOGIN_ROUTES, OPEN_ROUTES } from './support/routes-of-access.js';
import type { Tenant } from './support/tenants/tenant.js';
import { document, remote } from '../../support/workflow-documents.js';
import { TENANTS, TenantsWorld, type TenantName } from './support/tenants/tenants-world.js';

const APART_MS = 2;
const REQUESTS = lawCases(500, 'FLOWGATE_TENANT_REQUESTS');
/** After so many requests the service begins anew on its folder. */
const RESTART_AFTER = Math.floor(REQUESTS / 2);

interface Step {
  readonly who: TenantName;
  readonly deed: string;
  readonly numbers: Numbers;
}

/** Each route, tool and stream once for each tenant, in random order among what else is asked for. */
function steps(choices: Choices): readonly Step[] {
  const number = () => choices.between(0, 1_000);
  const step = (who: TenantName, deed: string): Step => ({
    who,
    deed,
    numbers: [number(), number(), number()],
  });
  const all = TENANTS.flatMap((who) => [...DEEDS.keys()].map((deed) => step(who, deed)));
  const names = [...DEEDS.keys()];
  while (all.length < REQUESTS) all.push(step(choices.oneOf(TENANTS), choices.oneOf(names)));
  for (let last = all.length - 1; last > 0; last -= 1) {
    const at = choices.between(0, last);
    [all[last], all[at]] = [all[at]!, all[last]!];
  }
  return all;
}

let units: UnitServer;
beforeAll(async () => {
  units = await startUnitServer(async ({ headers, body }) => {
    // A run and its child begin at two instants: of those that begin at one, nobody knows the order.
    await delay(APART_MS);
    const { input } = JSON.parse(body) as { readonly input?: { readonly mark?: string } };
    return { body: { content: input?.mark ?? `said with ${headers['x-token']}` } };
  });
});
afterAll(() => units.close());

/** What each of the tenants is answered, in a world that has those tenants alone. */
async function played(names: readonly TenantName[], all: readonly Step[]) {
  const world = await TenantsWorld.with(names);
  try {
    for (const name of names) {
      for (const body of documentsFor(units.url)) {
        const { status, text } = await world.tenant(name)!.call('POST', '/workflows/from-yaml', body);
        if (status !== 201) throw new Error(text);
      }
    }
    for (const [index, { who, deed, numbers }] of all.entries()) {
      if (index === RESTART_AFTER) {
        for (const name of names)
          world.tenant(name)!.tell({ index, released: await released(world.tenant(name)!) });
        await world.restart();
      }
      const tenant = world.tenant(who);
      if (tenant === undefined) continue;
      tenant.tell({ index, deed, answer: await DEEDS.get(deed)!(tenant, numbers) });
      await settled(tenant);
      await delay(APART_MS);
    }
    for (const name of names) world.tenant(name)!.tell(await released(world.tenant(name)!));
    return new Map(names.map((name) => [name, world.tenant(name)!.answers]));
  } finally {
    await world.close();
  }
}

it('every route that takes a key is among the random requests, and every tool', async () => {
  const world = await TenantsWorld.with(['left']);
  const tenant = world.tenant('left')!;
  for (const body of documentsFor(units.url)) await tenant.call('POST', '/workflows/from-yaml', body);
  expect(Object.keys(ROUTES).sort()).toEqual(
    routesOf(world.running)
      // The others need no key.
      .filter((route) => !OPEN_ROUTES.includes(route) && !LOGIN_ROUTES.includes(route))
      .sort(),
  );
  const { body } = await tenant.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tools = (body.result.tools as readonly { readonly name: string }[]).map(({ name }) => name);
  expect(tools.filter((name) => !TOOL_NAMES.includes(name))).toEqual([]);
  await world.close();
});

it('a tenant is answered as if the other one did not exist, also after a restart', async () => {
  const all = steps(new Choices(printedSeed('two tenants')));
  const together = await played(TENANTS, all);
  for (const name of TENANTS) {
    const alone = await played([name], all);
    const [shared, own] = [together.get(name)!, alone.get(name)!];
    expect(shared).toHaveLength(own.length);
    for (const [index, answer] of shared.entries()) expect(answer).toEqual(own[index]);
  }
}, 300_000);

it('a breaker that is open for one tenant lets the other call, by one document at one address, also after a restart', async () => {
  const frail = await startUnitServer(({ headers }) =>
    headers['x-token'] === 'the secret of left' ? { status: 500 } : { body: { content: 'said' } },
  );
  const world = await TenantsWorld.with(TENANTS);
  const [left, right] = [world.tenant('left')!, world.tenant('right')!];
  const policy = { retry: { maxAttempts: 1 }, circuitBreaker: { failureThreshold: 1, resetMs: 3_600_000 } };
  const yaml = document('frail', [remote('say')], { policy });
  const bindings = {
    'acme.say': { type: 'http', endpoint: frail.url, headers: { 'x-token': '${secret:TOKEN}' } },
  };
  const callsOf = (name: TenantName): number =>
    frail.requests.filter(({ headers }) => headers['x-token'] === `the secret of ${name}`).length;
  const start = async (tenant: Tenant, sync: boolean): Promise<{ status: string; runId: string }> =>
    (await tenant.call('POST', '/workflows/frail/runs', { input: {}, sync })).body;
  try {
    for (const tenant of [left, right]) {
      const { status, text } = await tenant.call('POST', '/workflows/from-yaml', { yaml, bindings });
      if (status !== 201) throw new Error(text);
    }
    for (const round of [1, 2]) {
      expect((await start(left, true)).status).not.toBe('completed');
      const { runId } = await start(left, false);
      for (let n = 0; n < 3; n += 1) expect((await start(right, true)).status).toBe('completed');
      // Its breaker has let the first one through, and nothing since.
      expect([callsOf('left'), callsOf('right')]).toEqual([round, 3 * round]);
      expect((await left.look(`/workflows/frail/runs/${runId}`)).body.status).toBe('running');
      await left.call('POST', `/workflows/frail/runs/${runId}/cancel`, {});
      await settled(left);
      if (round === 1) await world.restart();
    }
  } finally {
    await world.close();
    await frail.close();
  }
}, 120_000);
