import { FlowgateClient, FlowgateValidationError } from 'flowgate-client';
import { fixtureOf, fixturesIn, yamlFile, yamlOf } from '../../../../test/support/language-fixtures.js';
import { startService, type Service } from '../../../../test/support/service.js';

const NAMES = [...fixturesIn('valid'), ...fixturesIn('invalid')];

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const places = (faults: readonly { path: unknown; line: unknown; column: unknown }[]) =>
  faults.map(({ path, line, column }) => ({ path, line, column }));

describe('the client finds in', () => {
  it.each(NAMES)('%s what the fixture says, and what the service finds', async (name) => {
    const { stage, apiGroups, faults = [] } = fixtureOf(name);
    const client = new FlowgateClient({ apiGroups });
    const ofFile = await client.validateYaml(yamlFile(name)).catch((error: unknown) => error);
    const yaml = yamlOf(name);
    const ofText = await client
      .validateYaml(yaml.includes('\n') ? yaml : `${yaml}\n`)
      .catch((error: unknown) => error);
    expect(ofText).toEqual(ofFile);

    if (stage === undefined || stage === 'load') {
      expect(ofFile).toEqual({ ok: true, workflowId: expect.any(String) });
      return;
    }
    expect(ofFile).toBeInstanceOf(FlowgateValidationError);
    const found = ofFile as FlowgateValidationError;
    expect(found).toMatchObject({ status: 400, type: 'YamlValidationError' });
    expect(places(found.faults)).toEqual(places(faults));
    for (const [i, { message = '' }] of faults.entries()) expect(found.faults[i]?.message).toContain(message);
    // An empty text never comes to the service’s reader, and of groups it knows its own.
    if (yaml.trim() === '' || apiGroups !== undefined) return;
    const { body } = await service.post('/workflows/from-yaml', { yaml });
    expect(body.type).toBe('YamlValidationError');
    expect(places(body.details)).toEqual(places(found.faults));
    // About a group of `apiVersion` each names its own setting.
    if (!body.error.includes('FLOWGATE_API_GROUP')) {
      expect(found.error).toBe(body.error);
      expect(found.faults).toEqual(body.details);
    }
  });

  it('documents enough for this to say something', () => {
    expect(NAMES.length).toBeGreaterThan(120);
  });
});
