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

export interface Answer {
  readonly status: number;
  readonly description: string;
  /** None: there is no body. */
  readonly schema?: SchemaClass | JsonSchema;
  /** What the data of server-sent events is, where it can be a stream. */
  readonly streams?: SchemaClass;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  /** Where it is no JSON; then `schema` is that of the text. Default: `application/json`. */
  readonly mediaTypes?: readonly string[];
}

/** A body that is no JSON. */
export interface TextBody {
  readonly mediaType: string;
  readonly description: string;
}

interface JsonBody {
  readonly schema: SchemaClass;
  readonly required: boolean;
  /** Whether a document may be the body itself. */
  readonly isYamlToo?: boolean;
}

/** What one operation takes and answers. */
export interface Operation extends Refusals {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: JsonBody | TextBody;
  /** Everything but refusals. */
  readonly answers: readonly Answer[];
}

const JSON_ONLY = ['application/json'] as const;

type Responses = Readonly<Record<string, unknown>>;

/** Describes the method of a controller for OpenAPI. */
export function Described(operation: Operation): MethodDecorator {
  return (_prototype, _name, descriptor) => {
    const method = descriptor.value as object;
    const { summary, description, body, parameters = [] } = operation;
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
    Reflect.defineMetadata(SWAGGER.models, modelsOf(operation), method);
    const describe = (): void =>
      Reflect.defineMetadata(SWAGGER.responses, responsesOf(operation, kindsInUse()), method);
    describe();
    onKindsInUse(describe);
  };
}

/** Under which heading its operations stand. */
export function DescribedUnder(tag: string): ClassDecorator {
  return (target) => Reflect.defineMetadata(SWAGGER.tags, [tag], target);
}

/** Leaves a controller out: what serves the document is not in it. */
export function NotDescribed(): ClassDecorator {
  return (target) => Reflect.defineMetadata(SWAGGER.excluded, [true], target);
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

function modelsOf({ body, answers }: Operation): readonly SchemaClass[] {
  const answered = answers.flatMap(({ schema, streams }) => [
    ...(typeof schema === 'function' ? [schema] : []),
    ...(streams === undefined ? [] : [streams]),
  ]);
  return [ErrorSchema, ...answered, ...(body === undefined || 'mediaType' in body ? [] : [body.schema])];
}

function shownAs(schema: SchemaClass | JsonSchema): JsonSchema {
  return typeof schema === 'function' ? refTo(schema) : schema;
}

function responsesOf(operation: Operation, kinds: readonly StatusKind[]): Responses {
  const answers = operation.answers.map((answer) => {
    const { status, description, headers } = answer;
    return [
      String(status),
      { description, ...(headers === undefined ? {} : { headers }), ...contentOf(answer) },
    ] as const;
  });
  const refusals = responsesOfCodes(everyCodeOf(operation), kinds);
  return { ...refusals, ...Object.fromEntries(answers) };
}

function contentOf({ schema, streams, mediaTypes = JSON_ONLY }: Answer): object {
  if (schema === undefined && streams === undefined) return {};
  const content = schema === undefined ? [] : mediaTypes.map((type) => [type, { schema: shownAs(schema) }]);
  const streamed = streams === undefined ? [] : [['text/event-stream', { schema: streamOf(streams) }]];
  return { content: Object.fromEntries([...content, ...streamed]) };
}

/** OpenAPI 3.1 has no word for what a stream consists of. */
function streamOf(target: SchemaClass): JsonSchema {
  const name = String(refTo(target)['$ref']).split('/').at(-1);
  return { type: 'string', description: `Server-sent events; \`data\` of each is a ${name} as JSON` };
}
