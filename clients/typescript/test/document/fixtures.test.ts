import { readdirSync, readFileSync } from 'node:fs';
import { FlowgateClient, FlowgateValidationError } from 'flowgate-client';
import { startService, type Service } from '../../../../test/support/service.js';

const FOLDER = 'schemas/fixtures';
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.yaml'),
);
const client = new FlowgateClient();

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Fault {
  readonly message: string;
}

/** About an `apiVersion` of another group the two give different advice: each names its own setting. */
const withoutAdvice = <F extends Fault>(fault: F) => ({
  ...fault,
  message: fault.message.replace(/; set .*/, ''),
});

describe('the client and the service agree on', () => {
  it.each(FILES)('%s', async (file) => {
    const path = `${FOLDER}/${file}`;
    const yaml = readFileSync(path, 'utf8');
    const { body } = await service.post('/workflows/from-yaml', { yaml });
    const here = await client.validateYaml(path).catch((error: unknown) => error);
    expect(await client.validateYaml(`${yaml}\n`).catch((error: unknown) => error)).toEqual(here);
    if (body.type !== 'YamlValidationError') {
      expect(here).toEqual({ ok: true, workflowId: expect.any(String) });
      return;
    }
    expect(here).toBeInstanceOf(FlowgateValidationError);
    const { faults, error, status, type } = here as FlowgateValidationError;
    expect(faults.map(withoutAdvice)).toEqual((body.details as Fault[]).map(withoutAdvice));
    expect({ status, type }).toEqual({ status: 400, type: 'YamlValidationError' });
    if (!body.error.includes('FLOWGATE_API_GROUP')) expect(error).toBe(body.error);
  });

  it('files enough for this to say something', () => {
    expect(FILES.length).toBeGreaterThan(50);
  });
});
