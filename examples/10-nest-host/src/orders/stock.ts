import { Injectable } from '@nestjs/common';

@Injectable()
export class Stock {
  private readonly left = new Map([
    ['lamp', 40],
    ['desk', 2],
  ]);

  /** What is left of it afterwards; null where there is not enough. */
  take(item: string, quantity: number): number | null {
    const rest = (this.left.get(item) ?? 0) - quantity;
    if (rest < 0) return null;
    this.left.set(item, rest);
    return rest;
  }
}
