import { Injectable } from '@nestjs/common';
import type {
  ActingEngine,
  Page,
  WorkflowDiff,
  WorkflowVersion,
  WorkflowVersionDetails,
} from '../engine/index.js';
import { InvalidRequestError, NotFoundError, asNotFound } from '../errors/request-errors.js';
import { UnknownWorkflowError } from '../errors/run-errors.js';
import type { RequestContext } from '../http/identity/request-context.js';
import { LIST_LIMIT, type Query } from '../http/query/query.js';
import { LIST_PAGE } from '../openapi/list-parameters.js';
import { FROM_HASH, namesOf, OF_HASH, TO_HASH } from '../openapi/parameters.js';

/** A hash is 64 characters long; showing more of an invalid one would not help. */
const SHOWN = 100;

type Reading = Pick<RequestContext, 'engine'>;

/** The stored definitions of a workflow: the current one, earlier ones, and their differences. */
@Injectable()
export class WorkflowVersionsService {
  /** `hash` of the query chooses the version; without it, the registered one is returned. */
  async current(workflowId: string, query: Query, context: Reading): Promise<WorkflowVersionDetails> {
    const { workflows } = context.engine;
    const hash = query.text('hash');
    if (hash !== null) return this.version(workflowId, hash, context);
    const details = await workflows.read({ workflowId });
    if (details === null) throw asNotFound(await workflows.unknown(workflowId));
    query.expectOnly(namesOf([OF_HASH]));
    return details;
  }

  async version(workflowId: string, hash: string, { engine }: Reading): Promise<WorkflowVersionDetails> {
    const details = await engine.workflows.read({ workflowId, hash });
    if (details !== null) return details;
    await assertKnown(engine, workflowId);
    throw unknownVersion(workflowId, hash);
  }

  /** `limit` (1 to 200, default 50) and `cursor` of the query choose the page. */
  async list(workflowId: string, query: Query, { engine }: Reading): Promise<Page<WorkflowVersion>> {
    await assertKnown(engine, workflowId);
    query.expectOnly(namesOf(LIST_PAGE));
    const limit = query.wholeNumber('limit', LIST_LIMIT);
    const cursor = query.text('cursor') ?? undefined;
    return engine.workflows.versions({ workflowId, limit, cursor });
  }

  /** Compares `from` and `to` of the query. */
  async diff(workflowId: string, query: Query, { engine, caller }: RequestContext): Promise<WorkflowDiff> {
    await assertKnown(engine, workflowId);
    query.expectOnly(namesOf([FROM_HASH, TO_HASH]));
    const [from, to] = [requiredIn(query, 'from'), requiredIn(query, 'to')];
    const diff = await engine.workflows.diff({ workflowId, from, to, caller });
    if (diff !== null) return diff;
    const isFrom = (await engine.workflows.read({ workflowId, hash: from })) !== null;
    throw unknownVersion(workflowId, isFrom ? to : from);
  }
}

/** A workflow that is not registered is known as long as a run needs one of its definitions. */
async function assertKnown({ workflows }: ActingEngine, workflowId: string): Promise<void> {
  try {
    await workflows.versions({ workflowId, limit: 1 });
  } catch (error) {
    throw error instanceof UnknownWorkflowError ? asNotFound(error) : error;
  }
}

function requiredIn(query: Query, name: string): string {
  const hash = query.text(name);
  if (hash !== null && hash !== '') return hash;
  throw new InvalidRequestError(`${name} is required: send the definitionHash of a version`);
}

function unknownVersion(workflowId: string, hash: string): NotFoundError {
  const shown = hash.slice(0, SHOWN);
  return new NotFoundError(
    (words) => `The workflow ${workflowId} has no version ${shown}: ${words.versions} that are kept`,
    { code: 'unknown-version' },
  );
}
