import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  type DynamicModule,
  type INestApplication,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  Engine,
  engineToken,
  Flowgate,
  FlowgateModule,
  NonRetryableError,
  Unit,
  type UnitContext,
} from '../../src/index.js';
import { inSequence } from '../support/engine.js';
import { until } from '../support/eventually.js';

const ROOT = FlowgateModule.forRoot({ global: true });

/** What a host is made of: its providers, and whatever else it imports. */
async function hostOf(
  providers: readonly Type[],
  imports: readonly (Type | DynamicModule)[] = [],
  root: DynamicModule = FlowgateModule.forRoot({ global: true, shutdownGraceMs: 0 }),
): Promise<INestApplication> {
  @Module({ imports: [root, ...imports], providers: [...providers] })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  try {
    return await app.init();
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Plays one run of one unit of that name to its end. */
async function play(app: INestApplication, uses: string, input: object = {}, policy: object = {}) {
  const yaml = inSequence('w', [{ id: 'u', uses }], { policy });
  await app.get(Engine).workflows.register({ yaml });
  const record = await app.get(Flowgate).start('w', input, { sync: true });
  return record.error ?? record.result!.state['output.u'];
}

@Injectable()
class Sums {
  @Unit('acme.sum', { pure: true })
  sum({ a, b }: { a: number; b: number }) {
    return a + b;
  }

  @Unit('acme.later', { pure: true })
  async later() {
    return 1;
  }
}

const TWICE = { retry: { maxAttempts: 3, baseMs: 0, jitter: false } };

@Injectable()
class Prices {
  readonly rate = 0.19;
}

@Injectable()
@Unit('tax.add')
class AddTax {
  constructor(private readonly prices: Prices) {}

  run(input: { readonly price: number }): { gross: number } {
    return { gross: input.price * (1 + this.prices.rate) };
  }
}

@Injectable()
class Orders {
  constructor(private readonly prices: Prices) {}

  @Unit('orders.count')
  @Unit('orders.number')
  count(): number {
    return this.prices.rate * 100;
  }

  @Unit('orders.tell')
  async tell(input: object, context: UnitContext): Promise<unknown> {
    const { runId, unitId, attempt, state, signal, idempotencyKey } = context;
    context.logger.info('told');
    const lives = context.heartbeat();
    return {
      unitId,
      attempt,
      state,
      input,
      lives,
      aborted: signal.aborted,
      own: idempotencyKey.startsWith(runId),
    };
  }
}

describe('a provider of the host', () => {
  let app: INestApplication;
  beforeAll(async () => (app = await hostOf([Prices, AddTax, Orders])));
  afterAll(() => app.close());

  it('is a unit by its run method, with what it injects', async () => {
    expect(await play(app, 'tax.add', { price: 100 })).toEqual({ gross: 119 });
  });

  it('has several units by its methods, and a method several names', async () => {
    expect([await play(app, 'orders.count'), await play(app, 'orders.number')]).toEqual([19, 19]);
  });

  it('receives the context of the call', async () => {
    expect(await play(app, 'orders.tell', { a: 1 })).toEqual({
      unitId: 'u',
      attempt: 1,
      state: { a: 1 },
      input: { a: 1 },
      lives: true,
      aborted: false,
      own: true,
    });
  });
});

describe('a unit with schemas', () => {
  let calls = 0;
  @Injectable()
  class Charge {
    @Unit('charge', {
      input: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
      output: { type: 'string' },
    })
    charge({ amount }: { readonly amount: number }): unknown {
      calls += 1;
      return amount > 100 ? amount : String(amount);
    }
  }

  let app: INestApplication;
  beforeAll(async () => (app = await hostOf([Charge])));
  beforeEach(() => (calls = 0));
  afterAll(() => app.close());

  it('is called with what satisfies them', async () => {
    expect(await play(app, 'charge', { amount: 7 })).toBe('7');
  });

  it('is neither called nor retried with another input', async () => {
    expect(await play(app, 'charge', { amount: 'seven' }, TWICE)).toBe(
      'Unit u failed after 1 attempt(s): input.amount must be number',
    );
    expect(calls).toBe(0);
  });

  it('is not retried when it returns something else', async () => {
    expect(await play(app, 'charge', { amount: 101 }, TWICE)).toBe(
      'Unit u failed after 1 attempt(s): output must be string',
    );
    expect(calls).toBe(1);
  });
});

it('a unit that throws a NonRetryableError is not retried, any other is', async () => {
  const calls: string[] = [];
  @Injectable()
  class Failing {
    @Unit('fails')
    fails(): never {
      calls.push('fails');
      throw new Error('busy');
    }

    @Unit('fails.for-good')
    failsForGood(): never {
      calls.push('fails.for-good');
      throw new NonRetryableError('no such customer');
    }
  }
  const app = await hostOf([Failing]);
  expect(await play(app, 'fails', {}, TWICE)).toBe('Unit u failed after 3 attempt(s): busy');
  expect(await play(app, 'fails.for-good', {}, TWICE)).toBe(
    'Unit u failed after 1 attempt(s): no such customer',
  );
  expect(calls).toEqual(['fails', 'fails', 'fails', 'fails.for-good']);
  await app.close();
});

describe('a unit of the scope of a request', () => {
  const made: WeakRef<object>[] = [];
  const meeting = { arrived: 0, all: Promise.withResolvers<void>() };

  @Injectable({ scope: Scope.REQUEST })
  class Caller {
    constructor(@Inject(REQUEST) readonly request: UnitContext) {
      made.push(new WeakRef(this));
    }
  }

  @Injectable()
  class Greeting {
    private calls = 0;

    constructor(private readonly caller: Caller) {}

    @Unit('greet')
    async greet(): Promise<unknown> {
      this.calls += 1;
      meeting.arrived += 1;
      if (meeting.arrived === 2) meeting.all.resolve();
      await meeting.all.promise;
      return { run: this.caller.request.runId, calls: this.calls };
    }
  }

  @Injectable({ scope: Scope.TRANSIENT })
  class Fresh {
    private calls = 0;

    @Unit('fresh')
    fresh(): number {
      return (this.calls += 1);
    }
  }

  let app: INestApplication;
  beforeAll(async () => (app = await hostOf([Caller, Greeting, Fresh])));
  afterAll(() => app.close());

  it('is one for each of two concurrent calls, and knows its call as REQUEST', async () => {
    const yaml = inSequence('greeting', [{ id: 'u', uses: 'greet' }]);
    await app.get(Engine).workflows.register({ yaml });
    const flowgate = app.get(Flowgate);
    const records = await Promise.all([1, 2].map(() => flowgate.start('greeting', {}, { sync: true })));
    for (const { runId, result } of records) {
      expect(result!.state['output.u']).toEqual({ run: runId, calls: 1 });
    }
    expect([records[0]!.runId === records[1]!.runId, made.length]).toEqual([false, 2]);
  });

  it('is released afterwards', async () => {
    setFlagsFromString('--expose_gc');
    const collect = runInNewContext('gc') as () => void;
    for (let turn = 0; turn < 20 && made.some((one) => one.deref() !== undefined); turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    expect(made.map((one) => one.deref())).toEqual([undefined, undefined]);
  });

  it('that is transient is made anew for each call', async () => {
    expect([await play(app, 'fresh'), await play(app, 'fresh')]).toEqual([1, 1]);
  });
});

describe('the start of the host', () => {
  it('fails when a name is taken, and names both providers', async () => {
    @Injectable()
    class Other {
      @Unit('tax.add')
      addMore(): number {
        return 1;
      }
    }
    @Module({ providers: [Other] })
    class OtherModule {}
    await expect(hostOf([Prices, AddTax], [OtherModule])).rejects.toThrow(
      /^The unit tax\.add is registered by (AddTax\.run in AppModule and again by Other\.addMore in OtherModule|Other\.addMore in OtherModule and again by AddTax\.run in AppModule): give one/,
    );
  });

  it('fails when the host registers such a name itself', async () => {
    @Injectable()
    class Registers implements OnModuleInit {
      constructor(private readonly engine: Engine) {}

      onModuleInit(): void {
        this.engine.registerUnit('tax.add', () => 1);
      }
    }
    await expect(hostOf([Prices, AddTax, Registers])).rejects.toThrow(
      'The unit tax.add is registered by AddTax.run in AppModule and again by a call of registerUnit',
    );
  });

  it('fails with every fault that units have', async () => {
    @Injectable()
    class Wrong {
      @Unit('builtin.mine')
      a(): number {
        return 1;
      }

      @Unit('b', { input: { type: 'strnig' } })
      b(): number {
        return 1;
      }

      @Unit('c', { instance: 'orders' })
      c(): number {
        return 1;
      }
    }
    const faults = (await hostOf([Wrong]).catch((error: unknown) => error)) as Error;
    expect(faults.message.split('\n')).toEqual([
      expect.stringContaining('builtin.mine: names that begin with builtin. are reserved'),
      expect.stringContaining('The unit b (Wrong.b in AppModule): the schema of its input cannot be used'),
      expect.stringContaining('The unit c (Wrong.c in AppModule) is for the Flowgate named "orders"'),
    ]);
  });

  it('fails for a unit on a controller', async () => {
    @Controller()
    class OrdersController {
      @Unit('orders.list')
      list(): number {
        return 1;
      }
    }
    @Module({ controllers: [OrdersController] })
    class OrdersModule {}
    await expect(hostOf([], [OrdersModule])).rejects.toThrow(
      'The unit orders.list is on a controller (OrdersController.list in OrdersModule): move it to a provider',
    );
  });

  it('knows the names before any module is initialised, and calls nothing before all are', async () => {
    const order: string[] = [];
    @Injectable()
    class Connection implements OnModuleInit {
      constructor(private readonly engine: Engine) {}

      async onModuleInit(): Promise<void> {
        await this.engine.workflows.register({ yaml: inSequence('early', [{ id: 'u', uses: 'early' }]) });
        await this.engine.runs.start({ workflowId: 'early' });
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push('connected');
      }

      @Unit('early')
      early(): void {
        order.push('called');
      }
    }
    const app = await hostOf([Connection]);
    await until(() => order.length === 2, 'the unit was called');
    expect(order).toEqual(['connected', 'called']);
    await app.close();
  });
});

it('an extending class is no unit unless it says so', async () => {
  @Injectable()
  class AddLess extends AddTax {}
  const app = await hostOf([Prices, AddTax, AddLess]);
  expect(await play(app, 'tax.add', { price: 100 })).toEqual({ gross: 119 });
  await app.close();
});

it('a fake that is provided for a class has the class’s units', async () => {
  @Module({
    imports: [ROOT],
    providers: [
      { provide: AddTax, useValue: { run: () => 'fake' } },
      { provide: 'again', useExisting: AddTax },
    ],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.init();
  expect(await play(app, 'tax.add')).toBe('fake');
  expect(app.get(engineToken())).toBe(app.get(Engine));
  await app.close();
});

it('a method is pure where it says so, and an error where it then answers later', async () => {
  const app = await hostOf([Sums]);
  expect(await play(app, 'acme.sum', { a: 1, b: 2 })).toBe(3);
  const gone = await play(app, 'acme.later', {});
  expect(gone).toMatch(/was registered as pure and answered with a promise/);
  await app.close();
});

it('a pure method is called, and may take its time, for a run that starts before the application has', async () => {
  let early: Promise<unknown> = Promise.resolve();
  @Injectable()
  class StartsEarly implements OnModuleInit {
    constructor(
      @Inject(Engine) private readonly engine: Engine,
      @Inject(Flowgate) private readonly flowgate: Flowgate,
    ) {}

    async onModuleInit() {
      const yaml = inSequence('early', [{ id: 'u', uses: 'acme.sum', with: { a: 2, b: 2 } }]);
      await this.engine.workflows.register({ yaml });
      early = this.flowgate.start('early', {}, { sync: true });
    }
  }
  const app = await hostOf([Sums, StartsEarly]);
  expect(await early).toMatchObject({ status: 'completed', result: { state: { 'output.u': 4 } } });
  await app.close();
});
