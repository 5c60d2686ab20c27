import { Injectable } from '@nestjs/common';
import { NonRetryableError, Unit, type UnitContext } from 'flowgate';
import { Stock } from './stock.js';

/** The units of order.yaml, with what this application has anyway. */
@Injectable()
export class OrderUnits {
  constructor(private readonly stock: Stock) {}

  @Unit('stock.reserve', { input: { type: 'object', required: ['item', 'quantity'] } })
  reserve({ item, quantity }: { item: string; quantity: number }): { left: number } {
    const left = this.stock.take(item, quantity);
    // To try again would bring no more of it.
    if (left === null) throw new NonRetryableError(`There are not ${quantity} of ${item}.`);
    return { left };
  }

  @Unit('billing.charge')
  charge({ amount }: { amount: number }, context: UnitContext): { receipt: string; amount: number } {
    // The same key at every attempt, so that nobody is charged twice.
    return { receipt: `R-${context.idempotencyKey}`, amount };
  }
}
