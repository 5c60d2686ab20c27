import { Module } from '@nestjs/common';
import { FlowgateModule } from 'flowgate';
import { OrderUnits } from './order-units.js';
import { OrdersController } from './orders.controller.js';
import { Stock } from './stock.js';

@Module({
  imports: [FlowgateModule.forFeature({ workflows: [new URL('order.yaml', import.meta.url)] })],
  controllers: [OrdersController],
  providers: [Stock, OrderUnits],
})
export class OrdersModule {}
