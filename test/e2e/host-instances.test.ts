import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Flowgate,
  FlowgateModule,
  flowgateToken,
  InjectFlowgate,
  OnRunEvent,
  Unit,
  type RunEvent,
} from '../../src/index.js';
import { inSequence } from '../support/engine.js';

const told: string[] = [];

@Injectable()
class Both {
  constructor(
    private readonly own: Flowgate,
    @InjectFlowgate('other') private readonly other: Flowgate,
    @Inject(flowgateToken()) readonly again: Flowgate,
  ) {}

  @Unit('who')
  mine(): string {
    return 'mine';
  }

  @Unit('who', { instance: 'other' })
  theirs(): string {
    return 'theirs';
  }

  @OnRunEvent('completed')
  completed({ workflowId }: RunEvent): void {
    told.push(`mine: ${workflowId}`);
  }

  @OnRunEvent('completed', { instance: 'other' })
  otherCompleted({ workflowId }: RunEvent): void {
    told.push(`theirs: ${workflowId}`);
  }

  async outputs(): Promise<unknown> {
    const records = [
      await this.own.start('w', {}, { sync: true }),
      await this.other.start('v', {}, { sync: true }),
    ];
    return records.map((record) => record.error ?? record.result!.state['output.u']);
  }

  async workflows(): Promise<unknown> {
    const lists = [await this.own.list(), await this.other.list()];
    return lists.map((list) => list.map(({ workflowId }) => workflowId));
  }
}

const asking = (id: string) => inSequence(id, [{ id: 'u', uses: 'who' }]);

it('two instances in one application have units, hooks, features and a Flowgate of their own', async () => {
  @Module({
    imports: [
      FlowgateModule.forRoot(),
      FlowgateModule.forRoot({ name: 'other', prefix: 'other' }),
      FlowgateModule.forFeature({ workflows: [asking('w')] }),
      FlowgateModule.forFeature({ workflows: [asking('v')], name: 'other' }),
    ],
    providers: [Both],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.init();
  const both = app.get(Both);
  expect(await both.outputs()).toEqual(['mine', 'theirs']);
  expect(await both.workflows()).toEqual([['w'], ['v']]);
  expect(both.again).toBe(app.get(Flowgate));
  await app.close();
  expect(told.sort()).toEqual(['mine: w', 'theirs: v']);
});
