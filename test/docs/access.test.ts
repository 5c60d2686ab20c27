import { BUILT_IN_ROLES } from '../../src/engine/index.js';
import { PERMISSIONS, type Permission } from '../../src/engine/vocabulary.js';
import { routesOf } from './support/routes.js';
import { startServiceWithAccess } from '../support/service-with-access.js';
import { blocksOf, readPage } from './support/page-blocks.js';
import { codeIn, firstCode, tablesNamed } from './support/page-tables.js';

const page = readPage('docs/access.md');
const roles = tablesNamed(page, 'role').flatMap((table) => table.rows);

describe('the page of access', () => {
  it('has every role, with what it may', () => {
    const said = new Map<string, readonly string[]>();
    for (const { cells } of roles) {
      const [name, may = ''] = [firstCode(cells[0]), cells[1]];
      const more = codeIn(may);
      if (may.startsWith('all')) said.set(name, [...new Set([...[...said.values()].flat(), ...more])]);
      else said.set(name, may.startsWith('as') ? [...said.get('viewer')!, ...more.slice(1)] : more);
    }
    const documented = [...said].map(([name, may]) => [name, may.toSorted()]);
    const known = [...BUILT_IN_ROLES].map(([name, may]) => [name, [...may].toSorted()]);
    expect(documented).toEqual(known);
  });

  it('names every route that is open, and no other', async () => {
    const [, section = ''] = page.split('## What is open\n');
    const [open = ''] = section.split('`/metrics`');
    const named = codeIn(open).filter((code) => code.startsWith('/'));
    const { service } = await startServiceWithAccess();
    const served: string[] = [];
    for (const route of routesOf(service)) {
      const [method = '', path = ''] = route.split(' ');
      const { status } = await service.call(method, path.replaceAll(/:\w+/g, 'start.js'));
      if (status !== 401 && !path.includes(':')) served.push(path);
    }
    await service.close();
    expect(named.toSorted()).toEqual(served.toSorted());
  });

  it('shows an access file whose permissions and roles there are', () => {
    const file = JSON.parse(blocksOf(page).find(({ kind }) => kind === 'json')!.text) as {
      readonly roles: Readonly<Record<string, readonly Permission[]>>;
      readonly grants: readonly { readonly roles: readonly string[] }[];
    };
    for (const permission of Object.values(file.roles).flat()) expect(PERMISSIONS).toContain(permission);
    const known = [...BUILT_IN_ROLES.keys(), ...Object.keys(file.roles)];
    for (const role of file.grants.flatMap((grant) => grant.roles)) expect(known).toContain(role);
  });
});
