import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Flowgate, type RunRecord } from 'flowgate';

interface Order {
  readonly item: string;
  readonly quantity: number;
  readonly price: number;
}

interface OrderState extends Order {
  readonly 'output.charge': { readonly receipt: string; readonly amount: number };
}

@Controller('orders')
export class OrdersController {
  private readonly orders;

  constructor(flowgate: Flowgate) {
    this.orders = flowgate.workflow<Order, OrderState>('order');
  }

  @Post()
  async place(@Body() order: Order): Promise<object> {
    return seen(await this.orders.run(order));
  }

  @Get(':id')
  async read(@Param('id') id: string): Promise<object> {
    return seen(await this.orders.get(id));
  }
}

/** What customers see of a run. */
function seen({ runId, status, error, result }: RunRecord<OrderState>): object {
  const receipt = result?.state['output.charge']?.receipt;
  return { id: runId, status: status === 'paused' ? 'waits for approval' : status, receipt, error };
}
