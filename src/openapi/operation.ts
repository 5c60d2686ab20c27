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
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
}

/** What one operation takes and answers. */
export interface Operation extends Refusals {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: {
    readonly schema: SchemaClass;
    readonly required: boolean;
    /** Whether a document may be the body itself. */
    readonly isYamlToo?: boolean;
  };
  /** Everything but refusals. */
  readonly answers: readonly Answer[];
}

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

function requestBodyOf({ schema, required, isYamlToo = false }: NonNullable<Operation['body']>): object {
  const yaml = { 'application/yaml': { schema: { type: 'string', description: 'The document itself' } } };
  return { required, content: { 'application/json': { schema: refTo(schema) }, ...(isYamlToo ? yaml : {}) } };
}

function modelsOf({ body, answers }: Operation): readonly SchemaClass[] {
  const answered = answers.flatMap(({ schema }) => (typeof schema === 'function' ? [schema] : []));
  return [ErrorSchema, ...answered, ...(body === undefined ? [] : [body.schema])];
}

function responsesOf(operation: Operation, kinds: readonly StatusKind[]): Responses {
  const answers = operation.answers.map(({ status, description, schema, headers }) => {
    const content =
      schema === undefined
        ? {}
        : {
            content: {
              'application/json': { schema: typeof schema === 'function' ? refTo(schema) : schema },
            },
          };
    return [
      String(status),
      { description, ...(headers === undefined ? {} : { headers }), ...content },
    ] as const;
  });
  const refusals = responsesOfCodes(everyCodeOf(operation), kinds);
  return { ...refusals, ...Object.fromEntries(answers) };
}
