import type { EdgeRequest } from '../http/edge-request.js';
import type { JsonBodyReader } from '../http/bodies/json-body-reader.js';

/** The media types of YAML, RFC 9512's first. With one of them the body is the document itself. */
const YAML_TYPES: readonly string[] = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

/** The body of a request with a document: JSON that contains the document, or the document alone. */
export async function postedDocument(bodies: JsonBodyReader, request: EdgeRequest): Promise<unknown> {
  return isYaml(request) ? { yaml: await bodies.readText(request) } : bodies.read(request);
}

function isYaml({ headers }: EdgeRequest): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return YAML_TYPES.includes(type.trim().toLowerCase());
}
