import { Controller, Get, type INestApplication } from '@nestjs/common';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { Engine, engineToken, FlowgateHealthIndicator, FlowgateModule } from '../../src/index.js';
import { ADAPTERS, startHost } from '../support/host.js';
import { serviceOf } from '../support/service.js';

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

@Controller('healthz')
class HealthzController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly flowgate: FlowgateHealthIndicator,
  ) {}

  @Get()
  check() {
    return this.health.check([() => this.flowgate.isHealthy(), () => this.flowgate.isHealthy('jobs')]);
  }
}

describe.each(ADAPTERS)('on %s', (adapter) => {
  it('a check of terminus says that Flowgate is up, and 503 with the reason once it closes', async () => {
    app = await startHost({
      adapter,
      controllers: [HealthzController],
      imports: [TerminusModule.forRoot({ logger: false }), FlowgateModule.forRoot()],
    });
    const { status, body } = await serviceOf(app).get('/healthz');
    expect([status, body.status, body.info]).toEqual([
      200,
      'ok',
      { flowgate: { status: 'up' }, jobs: { status: 'up' } },
    ]);
    await app.get(Engine).close();
    const closing = await serviceOf(app).get('/healthz');
    const down = { status: 'down', message: 'The service is shutting down' };
    expect([closing.status, closing.body.error]).toEqual([503, { flowgate: down, jobs: down }]);
  });
});

it('of a named instance it is made from its engine', async () => {
  app = await startHost({ adapter: 'express', imports: [FlowgateModule.forRoot({ name: 'a' })] });
  expect(() => app!.get(FlowgateHealthIndicator)).toThrow(/could not find FlowgateHealthIndicator/);
  const indicator = new FlowgateHealthIndicator(app.get<Engine>(engineToken('a')));
  expect(await indicator.isHealthy('a')).toEqual({ a: { status: 'up' } });
});
