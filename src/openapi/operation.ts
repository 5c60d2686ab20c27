import { routeAccessOf, type RouteAccess } from '../http/access/route-access.js';
import type { StatusKind } from '../errors/http-status.js';
import { everyCodeOf, responsesOfCodes, type Refusals } from './error-responses.js';
import { refTo, SWAGGER, type JsonSchema, type SchemaClass } from './schema-class.js';
import { ErrorSchema } from './schemas/error-schema.js';
import { kindsInUse, onKindsInUse } from './statuses-in-use.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface ResponseDescription {
  readonly status: number;
  readonly description: string;
  /** Absent: there is no body. */
  readonly schema?: SchemaClass | JsonSchema;
  /** The data of server-sent events, if the response can be a stream. */
  readonly streams?: SchemaClass;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  /** The media types, if it is not JSON; then `schema` is that of the text. Default: `application/json`. */
  readonly mediaTypes?: readonly string[];
}

/** A body that is not JSON. */
export interface TextBody {
  readonly mediaType: string;
  readonly description: string;
}

interface JsonBody {
  readonly schema: SchemaClass;
  readonly required: boolean;
  /** Whether the body may be the document itself. */
  readonly isYamlToo?: boolean;
}

/** The request and the responses of one operation. */
export interface Operation extends Refusals {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: JsonBody | TextBody;
  /** The responses without refusals. */
  readonly responses: readonly ResponseDescription[];
}

const JSON_ONLY = ['application/json'] as const;

type Responses = Readonly<Record<string, unknown>>;

/** Of every operation that is about what is in a namespace. */
const NAMESPACE: Parameter = {
  name: 'Flowgate-Namespace',
  in: 'header',
  required: false,
  description: 'Default: the only namespace that is granted, else `default`',
  schema: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}$' },
};

/** The name of the scheme: an API key or a token behind `Authorization: Bearer`. */
const BEARER = 'bearer';
/** One of the two: without a key or a token where nobody is asked, with one elsewhere. */
const MAYBE_BEARER = [{}, { [BEARER]: [] }];

/** Describes the method of a controller for OpenAPI. It stands above what says who may call the method. */
export function Described(described: Operation): MethodDecorator {
  return (_prototype, name, descriptor) => {
    const method = descriptor.value as object;
    const access = routeAccessOf(method);
    if (access === undefined)
      throw new Error(`Say below @Described who may call ${String(name)}, as by @Requires`);
    const operation = { ...described, isOpen: access.kind === 'open' || access.kind === 'login' };
    const { summary, description, body } = operation;
    const parameters = [...(operation.parameters ?? []), ...namespaceOf(access)];
    Reflect.defineMetadata(
      SWAGGER.operation,
      {
        summary,
        ...(description === undefined ? {} : { description }),
        ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
      },
      method,
    );
    Reflect.defineMetadata(
      SWAGGER.parameters,
      parameters.map((parameter) => ({ ...parameter })),
      method,
    );
    if (!operation.isOpen) Reflect.defineMetadata(SWAGGER.security, MAYBE_BEARER, method);
    Reflect.defineMetadata(SWAGGER.models, modelsOf(operation), method);
    const describe = (): void =>
      Reflect.defineMetadata(SWAGGER.responses, responsesOf(operation, kindsInUse()), method);
    describe();
    onKindsInUse(describe);
  };
}

/** The heading of a controller's operations. */
export function DescribedUnder(tag: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(SWAGGER.tags, [tag], target);
}

/** Leaves a controller out of the document, as the one that serves the document. */
export function NotDescribed(): ClassDecorator {
  return (target) => Reflect.defineMetadata(SWAGGER.excluded, [true], target);
}

function namespaceOf({ kind }: RouteAccess): readonly Parameter[] {
  return kind === 'namespace' ? [NAMESPACE] : [];
}

function requestBodyOf(body: JsonBody | TextBody): object {
  if ('mediaType' in body) {
    const { mediaType, description } = body;
    return { required: true, content: { [mediaType]: { schema: { type: 'string', description } } } };
  }
  const { schema, required, isYamlToo = false } = body;
  const yaml = { 'application/yaml': { schema: { type: 'string', description: 'The document itself' } } };
  return { required, content: { 'application/json': { schema: refTo(schema) }, ...(isYamlToo ? yaml : {}) } };
}

function modelsOf({ body, responses }: Operation): readonly SchemaClass[] {
  const schemas = responses.flatMap(({ schema, streams }) => [
    ...(typeof schema === 'function' ? [schema] : []),
    ...(streams === undefined ? [] : [streams]),
  ]);
  return [ErrorSchema, ...schemas, ...(body === undefined || 'mediaType' in body ? [] : [body.schema])];
}

function shownAs(schema: SchemaClass | JsonSchema): JsonSchema {
  return typeof schema === 'function' ? refTo(schema) : schema;
}

function responsesOf(operation: Operation, kinds: readonly StatusKind[]): Responses {
  const responses = operation.responses.map((response) => {
    const { status, description, headers } = response;
    return [
      String(status),
      { description, ...(headers === undefined ? {} : { headers }), ...contentOf(response) },
    ] as const;
  });
  const refusals = responsesOfCodes(everyCodeOf(operation), kinds);
  return { ...refusals, ...Object.fromEntries(responses) };
}

function contentOf({ schema, streams, mediaTypes = JSON_ONLY }: ResponseDescription): object {
  if (schema === undefined && streams === undefined) return {};
  const content = schema === undefined ? [] : mediaTypes.map((type) => [type, { schema: shownAs(schema) }]);
  const streamed = streams === undefined ? [] : [['text/event-stream', { schema: streamOf(streams) }]];
  return { content: Object.fromEntries([...content, ...streamed]) };
}

/** OpenAPI 3.1 cannot describe the elements of a stream. */
function streamOf(target: SchemaClass): JsonSchema {
  const name = String(refTo(target)['$ref']).split('/').at(-1);
  return { type: 'string', description: `Server-sent events; \`data\` of each is a ${name} as JSON` };
}
