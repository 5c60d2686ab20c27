import { MalformedJsonError } from '../errors/request-errors.js';
import type { EdgeRequest } from '../http/edge-request.js';
import type { JsonBodyReader } from '../http/bodies/json-body-reader.js';

/** The media types of YAML, RFC 9512's first. With one of them the body is the document itself. */
const YAML_TYPES: readonly string[] = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

const WHAT_TO_DO =
  'send a JSON object, or the document itself with the header Content-Type: application/yaml, uncompressed and in UTF-8';

/** The body of a request with a document: JSON that contains the document, or the document alone. */
export async function postedDocument(bodies: JsonBodyReader, request: EdgeRequest): Promise<unknown> {
  if (isYaml(request)) return { yaml: await bodies.readText(request) };
  try {
    return await bodies.read(request);
  } catch (error) {
    throw error instanceof MalformedJsonError ? new MalformedJsonError(error.reason, WHAT_TO_DO) : error;
  }
}

function isYaml({ headers }: EdgeRequest): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return YAML_TYPES.includes(type.trim().toLowerCase());
}
