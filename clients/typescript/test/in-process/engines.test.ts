import { FlowgateClient } from 'flowgate-client';
import { createEngine, InMemoryRunStore } from '../../../../src/engine/index.js';
import { SqliteRunStore } from '../../../../src/index.js';
import { builtWorkers } from '../../../../test/support/built-worker.js';
import { temporaryFolder } from '../../../../test/support/data-folder.js';
import * as documentErrors from '../../../../src/errors/document-errors.js';
import * as edgeErrors from '../../../../src/errors/edge-errors.js';
import type { FlowgateError } from '../../../../src/errors/flowgate-error.js';
import { httpStatusOf } from '../../../../src/errors/http-status.js';
import * as requestErrors from '../../../../src/errors/request-errors.js';
import * as runErrors from '../../../../src/errors/run-errors.js';
import * as serviceErrors from '../../../../src/errors/service-errors.js';
import { errorResponseOf } from '../../../../src/http/refusals/error-response.js';
import { document, gate, mock } from '../../../../test/support/workflow-documents.js';
import { answerAsHttp } from '../../src/in-process/answer-as-http.js';

describe('an engine that the caller gives', () => {
  it('is used, and left open for its owner', async () => {
    const engine = createEngine();
    await engine.open();
    const client = new FlowgateClient({ engine });
    client.registerUnit('test.unit', () => 'done');
    await client.loadAndRegister(document('given', [{ id: 'a', uses: 'test.unit' }]));
    const run = await client.startWorkflow('given', {}, { sync: true });
    expect(run.result?.state).toEqual({ 'output.a': 'done' });
    await client.close();
    expect(await engine.runs.get(run)).toEqual(run);
    await engine.close();
  });
});

describe('an engine of the client’s own', () => {
  it('has the store that the options name, which keeps runs beyond the client', async () => {
    const { path: folder, remove } = await temporaryFolder();
    const stored = () => ({ store: new SqliteRunStore({ folder, workers: builtWorkers }) });
    const first = new FlowgateClient({ engineOptions: stored() });
    await first.loadAndRegister(document('kept', [gate('agree')]));
    const { runId } = await first.startWorkflow('kept', {}, { sync: true });
    await first.close();

    const second = new FlowgateClient({ engineOptions: stored() });
    expect(await second.respondHITL('kept', runId, true)).toMatchObject({ status: 'completed' });
    await second.close();
    await remove();
  });

  it('is there for every call at once, and opened once', async () => {
    const client = new FlowgateClient();
    await Promise.all(['a', 'b', 'c'].map((id) => client.loadAndRegister(document(id, [mock('x')]))));
    expect((await client.health()).workflows?.toSorted()).toEqual(['a', 'b', 'c']);
    await client.close();
  });

  it('answers no more once the client is closed, which may be said twice', async () => {
    const client = new FlowgateClient();
    await client.health();
    await Promise.all([client.close(), client.close()]);
    await expect(client.health()).rejects.toMatchObject({ status: 503 });
    const unused = new FlowgateClient();
    await unused.close();
    await expect(unused.startWorkflow('a')).rejects.toThrow('closed');
  });

  it('that cannot be opened says why at every call, and holds nothing', async () => {
    const store = new InMemoryRunStore();
    let isClosed = false;
    store.open = () => Promise.reject(new Error('The folder is in use'));
    store.close = async () => void (isClosed = true);
    const client = new FlowgateClient({ engineOptions: { store } });
    for (const call of [() => client.health(), () => client.startWorkflow('a')]) {
      await expect(call()).rejects.toMatchObject({ status: 500, error: 'The folder is in use' });
    }
    expect(isClosed).toBe(true);
    await client.close();
  });

  it('keeps names that begin with builtin. to itself', async () => {
    const client = new FlowgateClient();
    expect(() => client.registerUnit('builtin.mine', () => 1)).toThrow('reserved');
    expect(() => client.registerUnit('mine', 'no function' as never)).toThrow('must be a function');
  });

  it('takes a name once, before the engine is there and after', async () => {
    const client = new FlowgateClient();
    const again = () => client.registerUnit('mine', () => 2);
    client.registerUnit('mine', () => 1);
    expect(again).toThrow(
      new TypeError('mine is registered already: give one of the two units another name'),
    );
    await client.health();
    expect(again).toThrow(
      new TypeError('mine is registered already: give one of the two units another name'),
    );
    await client.close();
  });
});

it('what is given to a run is a copy', async () => {
  const client = new FlowgateClient();
  await client.loadAndRegister(document('copied', [gate('agree')]));
  const input = { list: [1] };
  const { runId } = await client.startWorkflow('copied', input, { sync: true });
  input.list.push(2);
  expect((await client.getRun('copied', runId)).result?.state).toMatchObject({ list: [1] });
  await client.close();
});

describe('every error that an engine can throw has the status, the code and the type of the service:', () => {
  const modules = [documentErrors, edgeErrors, requestErrors, runErrors, serviceErrors];
  const classes = modules.flatMap((module) =>
    Object.entries(module).filter(([name]) => /^[A-Z].*Error$/.test(name)),
  ) as unknown as [string, { readonly prototype: object }][];
  /** Refusals of the edge, which is not there in process. */
  const OF_THE_EDGE =
    /^(?:ReentrantCall|ForeignHost|CrossOrigin|OwnGate|UploadsFull|StreamsFull|Expectation|MalformedJson|BodyTooLarge|MethodNotAllowed|NotFound|UnsupportedMediaType)Error$/;
  const inProcess = classes.filter(([name]) => !OF_THE_EDGE.test(name));

  it.each(inProcess)('%s', (name, ErrorClass) => {
    const error = madeOf(ErrorClass);
    expect(error.name).toBe(name);
    const { status, body } = errorResponseOf(error);
    const answer = answerAsHttp(error, 'steering');
    expect({ status: answer.status, code: answer.code, type: answer.type, error: answer.error }).toEqual({
      status,
      code: body.code,
      type: body.type,
      // In words of code.
      error: error.message,
    });
    expect(httpStatusOf(error)).toBe(answer.status);
  });

  it('all of them', () => {
    expect(inProcess.length).toBeGreaterThan(12);
  });
});

/** Of any class, with arguments that each of them can make something of. */
function madeOf(ErrorClass: unknown): FlowgateError {
  const make = ErrorClass as new (...given: unknown[]) => FlowgateError;
  const list = Object.assign(['x'], { approved: true });
  for (const first of ['x', [{ path: '', line: 1, column: 1, message: 'x' }]]) {
    try {
      return new make(first, list);
    } catch {
      continue;
    }
  }
  throw new Error('It takes other arguments.');
}
