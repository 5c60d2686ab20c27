import { readConfig } from '../../src/config/service/read-config.js';
import { readComposeFile } from './support/compose-file.js';
import { readImagePlan } from './support/image-plan.js';

/** What a shutdown takes beyond the grace of the units, as docs/operate.md says. */
const BEYOND_GRACE_MS = 5_000;

const plan = readImagePlan();
const { services, volumes } = readComposeFile();
const { flowgate } = services;
const environment = { ...plan.environment, ...flowgate.environment };

describe('compose.yaml', () => {
  it('gives the service settings that it knows and takes', () => {
    const { config, warnings } = readConfig(environment);
    expect(warnings).toEqual([]);
    expect(config.dataDir).toBe(plan.volumes[0]);
  });

  it('waits longer than a shutdown takes before it kills', () => {
    const [, seconds] = /^(\d+)s$/.exec(flowgate.stop_grace_period) ?? [];
    const { shutdownGraceMs } = readConfig(environment).config;
    expect(Number(seconds) * 1_000).toBeGreaterThan(shutdownGraceMs + BEYOND_GRACE_MS);
  });

  it('keeps the data folder of the image in a volume that has a name', () => {
    expect(plan.volumes).toHaveLength(1);
    const [name = '', path] = flowgate.volumes[0]?.split(':') ?? [];
    expect([flowgate.volumes.length, path]).toEqual([1, plan.volumes[0]]);
    expect(Object.keys(volumes)).toEqual([name]);
  });

  it('opens the port of the image to this machine alone', () => {
    expect(flowgate.ports).toEqual([`127.0.0.1:${plan.port}:${plan.port}`]);
    expect([environment['PORT'], readConfig({}).config.port]).toEqual([String(plan.port), plan.port]);
  });

  it('leaves nothing to write to but the volume and /tmp, and no right that nobody needs', () => {
    const { read_only: isReadOnly, tmpfs, cap_drop: dropped, init, build } = flowgate;
    expect({ isReadOnly, tmpfs, dropped, init, build }).toEqual({
      isReadOnly: true,
      tmpfs: ['/tmp'],
      dropped: ['ALL'],
      init: true,
      build: '.',
    });
  });
});
