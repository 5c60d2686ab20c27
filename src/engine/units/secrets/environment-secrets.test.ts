import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentSecrets } from './environment-secrets.js';

describe('secrets of the environment', () => {
  let outer: string;
  let folder: string;

  beforeEach(async () => {
    outer = await mkdtemp(join(tmpdir(), 'flowgate-secrets-test-'));
    folder = join(outer, 'secrets');
    await mkdir(join(folder, 'acme'), { recursive: true });
    await writeFile(join(outer, 'OUTSIDE'), 'of nobody');
    await writeFile(join(folder, 'FILED'), 'of a file\n');
    await writeFile(join(folder, 'acme', 'FILED'), 'of their file\r\n');
  });

  afterEach(() => rm(outer, { recursive: true }));

  const read = (
    namespace: string,
    name: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<string | null> => new EnvironmentSecrets({ environment, folder }).read({ namespace, name });

  it.each([
    ['default', 'TOKEN', 'FLOWGATE_SECRET_TOKEN'],
    ['default', 'ACME__TOKEN', 'FLOWGATE_SECRET_ACME__TOKEN'],
    ['acme', 'TOKEN', 'FLOWGATE_SECRET_ACME__TOKEN'],
    ['acme-2', 'token', 'FLOWGATE_SECRET_ACME_2__token'],
    ['acme', '_TOKEN', 'FLOWGATE_SECRET_ACME___TOKEN'],
  ])('of %s: %s is %s', async (namespace, name, variable) => {
    await expect(read(namespace, name, { [variable]: 'value' })).resolves.toBe('value');
    await expect(read(namespace, name)).resolves.toBeNull();
  });

  it.each([
    ['default', 'TOKEN', 'FLOWGATE_SECRET_HOSTS_TOKEN'],
    ['default', 'HOSTS_TOKEN', 'FLOWGATE_SECRET_HOSTS_HOSTS_TOKEN'],
    ['acme-2', 'TOKEN', 'FLOWGATE_SECRET_HOSTS_ACME_2__TOKEN'],
  ])('of %s: the hosts of %s are listed by %s', async (namespace, name, variable) => {
    const hostsOf = (environment: Readonly<Record<string, string>>) =>
      new EnvironmentSecrets({ environment, folder }).hostsOf({ namespace, name });
    expect(await hostsOf({ [variable]: 'a.example,*.b.example' })).toEqual(['a.example', '*.b.example']);
    expect(await hostsOf({ [variable]: ' ' })).toBeNull();
    expect(await hostsOf({})).toBeNull();
  });

  it.each([
    ['default', 'HOSTS_TOKEN', 'FLOWGATE_SECRET_HOSTS_TOKEN'],
    ['hosts', 'TOKEN', 'FLOWGATE_SECRET_HOSTS__TOKEN'],
    ['hosts-a', 'TOKEN', 'FLOWGATE_SECRET_HOSTS_A__TOKEN'],
  ])('of %s: %s is never %s, which lists hosts', async (namespace, name, variable) => {
    await expect(read(namespace, name, { [variable]: 'value' })).resolves.toBeNull();
    const path = namespace === 'default' ? folder : join(folder, namespace);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, name), 'mounted');
    await expect(read(namespace, name, { [variable]: 'value' })).resolves.toBe('mounted');
  });

  it('of a namespace are never those of `default`', async () => {
    await expect(read('acme', 'TOKEN', { FLOWGATE_SECRET_TOKEN: 'value' })).resolves.toBeNull();
  });

  it('of `default` are never those of another namespace, where namespaces are kept apart', async () => {
    const environment = {
      FLOWGATE_SECRET_ACME__TOKEN: 'theirs',
      FLOWGATE_SECRET_HOSTS_ACME__TOKEN: 'a.example',
      FLOWGATE_SECRET_PLAIN: 'ours',
    };
    const apart = new EnvironmentSecrets({ environment, folder, areApart: true });
    await expect(apart.read({ namespace: 'default', name: 'ACME__TOKEN' })).resolves.toBeNull();
    await expect(apart.hostsOf({ namespace: 'default', name: 'ACME__TOKEN' })).resolves.toBeNull();
    await expect(apart.read({ namespace: 'acme', name: 'TOKEN' })).resolves.toBe('theirs');
    await expect(apart.read({ namespace: 'default', name: 'PLAIN' })).resolves.toBe('ours');
    await expect(apart.refusalOf({ namespace: 'default', name: 'ACME__TOKEN' })).resolves.toContain(
      'put a file ACME__TOKEN into FLOWGATE_SECRETS_DIR',
    );
    await writeFile(join(folder, 'ACME__TOKEN'), 'mounted');
    await expect(apart.read({ namespace: 'default', name: 'ACME__TOKEN' })).resolves.toBe('mounted');
    await expect(apart.refusalOf({ namespace: 'default', name: 'ACME__TOKEN' })).resolves.toBeNull();
    await expect(apart.refusalOf({ namespace: 'acme', name: 'A__B' })).resolves.toBeNull();
  });

  it('that `default` read before namespaces were kept apart are named, and none of their values', () => {
    const environment = {
      FLOWGATE_SECRET_ACME__TOKEN: 'theirs',
      FLOWGATE_SECRET_HOSTS_ACME__TOKEN: 'a.example',
      FLOWGATE_SECRET_PLAIN: 'ours',
      OTHER__TOKEN: 'no secret',
    };
    const named = (areApart: boolean) =>
      new EnvironmentSecrets({ environment, folder: null, areApart }).variablesOfOthers();
    expect(named(true)).toEqual(['FLOWGATE_SECRET_ACME__TOKEN']);
    expect(named(false)).toEqual([]);
  });

  it.each([
    ['a--b', 'X', 'a', 'B__X', 'FLOWGATE_SECRET_A__B__X'],
    ['a-', 'X', 'a', '_X', 'FLOWGATE_SECRET_A___X'],
  ])('of %s, %s is not what %s has as %s', async (odd, name, plain, plainName, variable) => {
    const environment = { [variable]: 'value' };
    await expect(read(plain, plainName, environment)).resolves.toBe('value');
    await expect(read(odd, name, environment)).resolves.toBeNull();
    await mkdir(join(folder, odd));
    await writeFile(join(folder, odd, name), 'theirs');
    await expect(read(odd, name, environment)).resolves.toBe('theirs');
  });

  it('come from the folder where no variable has them, without the last line break', async () => {
    await expect(read('default', 'FILED')).resolves.toBe('of a file');
    await expect(read('acme', 'FILED')).resolves.toBe('of their file');
    await expect(read('acme', 'FILED', { FLOWGATE_SECRET_ACME__FILED: 'value' })).resolves.toBe('value');
    await expect(read('other', 'FILED')).resolves.toBeNull();
    await expect(read('default', 'acme')).resolves.toBeNull();
  });

  it('come from no pipe: it may never have a writer', async () => {
    execFileSync('mkfifo', [join(folder, 'PIPE')]);
    await expect(read('default', 'PIPE')).resolves.toBeNull();
  });

  it('that are there and cannot be read are not said to be missing', async () => {
    await symlink('CIRCLE', join(folder, 'CIRCLE'));
    await expect(read('default', 'CIRCLE')).rejects.toThrow('ELOOP');
    await writeFile(join(folder, 'LONG'), Buffer.alloc(1024 * 1024 + 1, 'x'));
    await expect(read('default', 'LONG')).rejects.toThrow('too long');
  });

  it.each(['..', 'acme/../..', '.', '', 'Acme', 'a/b', '-a', `a${'b'.repeat(63)}`])(
    'of %j, which is no namespace, are none',
    async (namespace) => {
      await expect(read(namespace, 'FILED')).resolves.toBeNull();
      await expect(read(namespace, 'OUTSIDE')).resolves.toBeNull();
    },
  );
});
