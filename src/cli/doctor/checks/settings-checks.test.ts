import { SETTINGS } from '../../../config/service/settings.js';
import { checkedSettings } from './settings-checks.js';

const SOUND = { FLOWGATE_REGISTRY: 'durable' };
const found = (environment: Readonly<Record<string, string>>) =>
  checkedSettings({ ...SOUND, ...environment }).checks.filter(({ status }) => status === 'finding');

describe('the check of the settings', () => {
  it('finds nothing in a sound environment', () => {
    expect(found({ PATH: '/usr/bin', FLOWGATE_SERVER: 'x', FLOWGATE_OUTPUT: 'json' })).toEqual([]);
  });

  it.each([
    [{ FLOWGATE_RETENTION_DAY: '3' }, 'did you mean FLOWGATE_RETENTION_DAYS?'],
    [{ FLOWGATE_FORK_PAST_GATES: 'true' }, 'FLOWGATE_FORK_PAST_GATES: a fork may pass a gate'],
    [{ FLOWGATE_ALLOW_SELF_CALLS: 'true' }, 'FLOWGATE_ALLOW_SELF_CALLS: units may call this service'],
    [{ FLOWGATE_STORE: 'memory' }, 'FLOWGATE_STORE: every run is forgotten'],
    [{ FLOWGATE_AUTH: 'keys', FLOWGATE_AUDIT: 'false' }, 'FLOWGATE_AUDIT: nothing says afterwards'],
    [{ FLOWGATE_AUTH: 'keys', FLOWGATE_METRICS_PUBLIC: 'true' }, 'FLOWGATE_METRICS_PUBLIC: anybody'],
    [{ HOST: '0.0.0.0' }, 'HOST: other machines reach the service, and it asks nobody who they are'],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'no certificate is checked'],
    [{ PORT: 'x' }, 'PORT is "x"'],
  ])('finds %j, with what to do', (environment, message) => {
    const [first, ...more] = found(environment);
    expect(more).toEqual([]);
    expect(first?.message).toContain(message);
    expect(first?.advice).toMatch(/^[A-Z].*\.$/);
  });

  it('finds a registry in memory next to runs that are kept, and not where it comes back anyway', () => {
    expect(found({ FLOWGATE_REGISTRY: 'memory' })).toEqual([
      expect.objectContaining({
        check: 'registry',
        advice: expect.stringContaining('FLOWGATE_REGISTRY=durable'),
      }),
    ]);
    expect(found({ FLOWGATE_REGISTRY: 'memory', FLOWGATE_WORKFLOWS_DIR: 'workflows' })).toEqual([]);
  });

  it('shows no secret, whether its value can be used or not', () => {
    const secrets = Object.values(SETTINGS).filter(({ isSecret }) => isSecret);
    expect(secrets.length).toBeGreaterThan(3);
    const environment = Object.fromEntries(secrets.map(({ variable }) => [variable, 'hunter2 is no value']));
    const { checks } = checkedSettings({
      ...environment,
      FLOWGATE_SECRET_SHOP: 'hunter2',
      FLOWGATE_TOKEN: 'hunter2',
    });
    expect(checks.length).toBeGreaterThan(2);
    expect(JSON.stringify(checks)).not.toContain('hunter2');
  });
});
