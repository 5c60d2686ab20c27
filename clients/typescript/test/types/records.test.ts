import type * as client from 'flowgate-client';
import type * as engine from '../../../../src/engine/index.js';
import type { Health } from '../../../../src/health/health.service.js';

type Same<A, B> =
  (<T>() => T extends Readonly<A> ? 1 : 2) extends <T>() => T extends Readonly<B> ? 1 : 2 ? true : false;
type Assignable<A, B> = [A] extends [B] ? true : false;

/** The compiler finds each of these wrong where the client's type is not the engine's. */
const TYPES: {
  readonly status: Same<client.RunStatus, engine.RunStatus>;
  readonly origin: Same<client.RunOrigin, engine.RunItem['origin']>;
  readonly waitingFor: Same<client.RunItem['waitingFor'], engine.RunItem['waitingFor']>;
  readonly view: Same<client.EventView, engine.EventView>;
  readonly record: Assignable<engine.RunRecord, client.RunRecord>;
  readonly recordBack: Assignable<client.RunRecord, engine.RunRecord>;
  readonly result: Assignable<engine.WorkflowResult, client.WorkflowResult>;
  readonly resultBack: Assignable<client.WorkflowResult, engine.WorkflowResult>;
  readonly resultKeys: Same<keyof client.WorkflowResult, keyof engine.WorkflowResult>;
  readonly recordKeys: Same<keyof client.RunRecord, keyof engine.RunRecord>;
  readonly full: Assignable<engine.FullRunRecord, client.FullRunRecord>;
  readonly fullBack: Assignable<client.FullRunRecord, engine.FullRunRecord>;
  readonly fullKeys: Same<keyof client.FullRunRecord, keyof engine.FullRunRecord>;
  readonly failureKeys: Same<keyof client.RunFailure, keyof engine.RunFailureDetails>;
  readonly message: Assignable<engine.RunMessage, client.RunMessage>;
  readonly messageBack: Assignable<client.RunMessage, engine.RunMessage>;
  readonly messageTypes: Same<client.RunMessage['type'], engine.RunMessage['type']>;
  readonly hit: Assignable<engine.MemoryHit, client.MemoryHit>;
  readonly hitKeys: Same<keyof client.MemoryHit, keyof engine.MemoryHit>;
  readonly health: Assignable<Health, client.Health>;
  readonly healthKeys: Same<keyof client.Health, keyof Health>;
  readonly unit: Assignable<client.UnitHandler, engine.UnitHandler>;
  readonly engine: Assignable<engine.Engine, client.EngineLike>;
} = {
  status: true,
  origin: true,
  waitingFor: true,
  view: true,
  record: true,
  recordBack: true,
  result: true,
  resultBack: true,
  resultKeys: true,
  recordKeys: true,
  full: true,
  fullBack: true,
  fullKeys: true,
  failureKeys: true,
  message: true,
  messageBack: true,
  messageTypes: true,
  hit: true,
  hitKeys: true,
  health: true,
  healthKeys: true,
  unit: true,
  engine: true,
};

it('the types of records, messages and hits are those of the engine', () => {
  expect(new Set(Object.values(TYPES))).toEqual(new Set([true]));
});
