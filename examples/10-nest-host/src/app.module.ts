import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FlowgateModule } from 'flowgate';
import { AuthGuard, personOf } from './auth.guard.js';
import { OrdersModule } from './orders/orders.module.js';

@Module({
  imports: [
    // Below /flowgate, behind the guard of this application; decisions are of the person whom the guard has let in.
    FlowgateModule.forRoot({ global: true, actor: personOf }),
    OrdersModule,
  ],
  providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
})
export class AppModule {}
