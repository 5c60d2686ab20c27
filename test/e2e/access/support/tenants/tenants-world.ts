import { SqliteMemoryIndex } from '../../../../../src/storage/sqlite/sqlite-memory-index.js';
import { SqliteRunStore } from '../../../../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../../../../support/built-worker.js';
import { temporaryFolder } from '../../../../support/data-folder.js';
import { bootstrap, EVERYTHING, keyBy } from '../../../../support/first-key.js';
import { startService, type Service } from '../../../../support/service.js';
import { Tenant } from './tenant.js';

export const TENANTS = ['left', 'right'] as const;
export type TenantName = (typeof TENANTS)[number];

/** A whole service with its folder, which some tenants share. */
export class TenantsWorld {
  private readonly tenants = new Map<TenantName, Tenant>();

  private constructor(
    private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>,
    private readonly settings: Readonly<Record<string, string>>,
    private service: Service,
  ) {}

  static async with(names: readonly TenantName[]): Promise<TenantsWorld> {
    const folder = await temporaryFolder();
    const { key, settings } = bootstrap();
    const world = new TenantsWorld(folder, settings, await startedIn(folder.path, settings));
    const { secret: admin } = await keyBy(world.service, key, {
      owner: 'admin@example.com',
      grants: EVERYTHING,
    });
    for (const name of names) {
      process.env[secretOf(name)] = `the secret of ${name}`;
      const grants = [{ namespace: name, roles: ['admin'] }];
      const { id, secret } = await keyBy(world.service, admin, { owner: `${name}@example.com`, grants });
      const other = name === 'left' ? 'right' : 'left';
      const tenant = new Tenant(
        name,
        secret,
        () => world.service,
        () => world.tenants.get(other) ?? null,
      );
      tenant.mask.name(id, '<my key>');
      world.tenants.set(name, tenant);
    }
    return world;
  }

  tenant(name: TenantName): Tenant | undefined {
    return this.tenants.get(name);
  }

  get running(): Service {
    return this.service;
  }

  /** Another process, as it were, on the same folder. */
  async restart(): Promise<void> {
    await this.service.close();
    this.service = await startedIn(this.folder.path, this.settings);
  }

  async close(): Promise<void> {
    await this.service.close();
    for (const name of TENANTS) delete process.env[secretOf(name)];
    await this.folder.remove();
  }
}

const secretOf = (name: TenantName): string => `FLOWGATE_SECRET_${name.toUpperCase()}__TOKEN`;

function startedIn(folder: string, settings: Readonly<Record<string, string>>): Promise<Service> {
  const kept = { folder, workers: builtWorkers };
  return startService(
    {
      ...settings,
      FLOWGATE_REGISTRY: 'durable',
      FLOWGATE_MCP_TOOLS: 'extended',
      FLOWGATE_MCP_WORKFLOW_TOOLS: 'true',
      FLOWGATE_SHUTDOWN_GRACE_MS: '0',
    },
    { store: new SqliteRunStore(kept), memory: new SqliteMemoryIndex(kept) },
  );
}
