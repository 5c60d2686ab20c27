// The application that the matrix of hosts adds Flowgate to: a global prefix, a guard that wants a token, a pipe that
// converts, a filter and a health check of its own; and, next to it, an instance that asks who is asking, and a controller of the
// host that its guard guards. `create.ts` beside it is the one of its adapter.
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IsNumber } from 'class-validator';
import {
  Flowgate,
  flowgateAuthGuard,
  FlowgateModule,
  FlowgatePrincipal,
  FlowgateRequires,
  InjectFlowgate,
  Unit,
  type Principal,
} from 'flowgate';
import { create } from './create.js';

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, url } = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, unknown>; url: string }>();
    // There Flowgate asks.
    if (url.startsWith('/api/known')) return true;
    if (headers['authorization'] === 'Bearer of-the-host') return true;
    throw new UnauthorizedException('The host wants its token.');
  }
}

class Order {
  @IsNumber()
  amount!: number;
}

@Injectable()
class Prices {
  readonly ofOne = 7;
}

@Injectable()
class OrderUnits {
  constructor(private readonly prices: Prices) {}

  @Unit('host.price')
  price({ amount }: { amount: number }): number {
    return amount * this.prices.ofOne;
  }
}

const ORDER = {
  apiVersion: 'flowgate/v1',
  kind: 'Workflow',
  metadata: { id: 'order' },
  spec: { units: [{ id: 'price', uses: 'host.price' }], flow: 'price' },
};

@Controller()
class HostController {
  private readonly workflow;

  constructor(flowgate: Flowgate) {
    this.workflow = flowgate.workflow<Order, { 'output.price': number }>('order');
  }

  @Get('health')
  health(): object {
    return { host: true };
  }

  @Post('priced-orders')
  async priced(@Body() order: Order): Promise<object> {
    const { result } = await this.workflow.run({ amount: order.amount });
    return { price: result?.state['output.price'] };
  }

  @Post('orders')
  order(@Body() { amount }: Order): object {
    return { isNumber: typeof amount === 'number' };
  }
}

@Controller('known')
@UseGuards(flowgateAuthGuard('known'))
class KnownController {
  constructor(@InjectFlowgate('known') private readonly flowgate: Flowgate) {}

  @Get()
  async mine(@FlowgatePrincipal() principal: Principal): Promise<object> {
    const { items } = await this.flowgate.as(principal).listRuns();
    return { owner: principal.owner, runs: items.length };
  }

  @Post()
  @FlowgateRequires('run:start')
  start(): object {
    return {};
  }
}

/** As `run.mjs` has it. */
const BOOTSTRAP = 'made-up-for-the-matrix-of-hosts-and-nothing-else';
const KNOWN = {
  name: 'known',
  prefix: 'known-flows',
  auth: { keys: { bootstrapKeySha256: createHash('sha256').update(BOOTSTRAP).digest('hex') } },
};

@Module({
  imports: [
    FlowgateModule.forRoot({ prefix: 'flows' }),
    FlowgateModule.forRoot(KNOWN),
    FlowgateModule.forFeature({ workflows: [ORDER] }),
  ],
  controllers: [HostController, KnownController],
  providers: [Prices, OrderUnits, { provide: APP_GUARD, useClass: TokenGuard }],
})
class HostModule {}

async function main(): Promise<void> {
  const app = await create(HostModule);
  app.setGlobalPrefix('api');
  app.useGlobalPipes(
    new ValidationPipe({
      transform: true,
      transformOptions: { enableImplicitConversion: true },
      whitelist: true,
    }),
  );
  await app.listen(0, '127.0.0.1');
  console.log(`listens on ${await app.getUrl()}`);
  // The end of its input is what ends it; nothing but `close` may then be needed.
  process.stdin.on('end', () => void app.close()).resume();
}

void main();
