// The application that the matrix of hosts adds Flowgate to: a global prefix, a guard that wants a token, a pipe that
// converts, a filter and a health check of its own. `create.ts` beside it is the one of its adapter.
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IsNumber } from 'class-validator';
import { Engine, FlowgateModule } from 'flowgate';
import { create } from './create.js';

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    if (headers['authorization'] === 'Bearer of-the-host') return true;
    throw new UnauthorizedException('The host wants its token.');
  }
}

class Order {
  @IsNumber()
  amount!: number;
}

@Controller()
class HostController {
  constructor(private readonly engine: Engine) {}

  @Get('health')
  health(): object {
    return { host: true, closing: this.engine.isClosing };
  }

  @Post('orders')
  order(@Body() { amount }: Order): object {
    return { isNumber: typeof amount === 'number' };
  }
}

@Module({
  imports: [FlowgateModule.forRoot({ prefix: 'flows' })],
  controllers: [HostController],
  providers: [{ provide: APP_GUARD, useClass: TokenGuard }],
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
