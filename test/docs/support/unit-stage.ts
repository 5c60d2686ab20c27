import { startService, type Service } from '../../support/service.js';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';

/** A service for all tests of a file, and an endpoint of its own for each of them. */
export interface UnitStage {
  readonly service: Service;
  readonly server: UnitServer;
}

/** To be called once, where a test file begins. */
export function setUnitStage(): UnitStage {
  const stage: { -readonly [K in keyof UnitStage]: UnitStage[K] | null } = { service: null, server: null };
  beforeAll(async () => {
    stage.service = await startService({ FLOWGATE_SHUTDOWN_GRACE_MS: '0' });
  });
  beforeEach(async () => {
    stage.server = await startUnitServer();
  });
  afterEach(() => stage.server?.close());
  afterAll(() => stage.service?.close());
  return {
    get service() {
      return there(stage.service);
    },
    get server() {
      return there(stage.server);
    },
  };
}

function there<T>(value: T | null): T {
  if (value === null) throw new Error('It is there once a test runs.');
  return value;
}
