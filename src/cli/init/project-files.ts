/** A unit in one language: the program, its test, and how a container runs it. */
export interface UnitTemplate {
  /** Its file name in `units`. */
  readonly file: string;
  readonly files: Readonly<Record<string, string>>;
  readonly testCommand: string;
  readonly image: string;
  readonly command: readonly string[];
}

/** The files of a new project by their paths, without the schema. */
export function projectFiles(unit: UnitTemplate, version: string): Readonly<Record<string, string>> {
  return {
    'workflows/hello.yaml': workflow(unit),
    'workflows/hello.input.json': '{ "name": "Ada" }\n',
    'workflows/hello.bindings.json': BINDINGS,
    ...unit.files,
    'compose.yaml': compose(unit, version),
    '.gitignore': '.flowgate/\nnode_modules/\n',
  };
}

const BINDINGS = `${JSON.stringify({ greet: { type: 'http', endpoint: 'http://127.0.0.1:9000/' } }, null, 2)}\n`;

function workflow({ file }: UnitTemplate): string {
  return `# yaml-language-server: $schema=../schemas/workflow.v1.schema.json
apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: hello
  description: Greets somebody once a person has approved it.
spec:
  input:
    type: object
    properties:
      name: { type: string, minLength: 1 }
    required: [name]
  units:
    # units/${file} is called for it.
    - id: greet
      uses: greet
      with:
        name: \${{ input.name }}
    - id: approve
      uses: builtin.approval
      config:
        title: Send "\${{ outputs.greet }}"?
  flow:
    type: sequential
    order: [greet, approve]
  output:
    greeting: \${{ outputs.greet }}
`;
}

function compose({ file, image, command }: UnitTemplate, version: string): string {
  return `# docker compose up: the service with these workflows, and the unit next to it.
services:
  flowgate:
    image: node:24-bookworm-slim
    working_dir: /app
    command: npx -y -p flowgate@${version} -p @nestjs/platform-express flowgate serve --host 0.0.0.0
    environment:
      FLOWGATE_WORKFLOWS_DIR: /app/workflows
      FLOWGATE_DATA_DIR: /data
      FLOWGATE_REGISTRY: durable
    # Nobody is asked who they are: only this machine may call it.
    ports: ['127.0.0.1:8787:8787']
    volumes: ['.:/app:ro', 'data:/data']
  # units/${file}. It shares the loopback of the service: workflows/hello.bindings.json is the same here as on your machine.
  greet:
    image: ${image}
    working_dir: /app
    command: ${JSON.stringify(command)}
    environment: { PORT: '9000' }
    network_mode: service:flowgate
    volumes: ['.:/app:ro']
volumes:
  data:
`;
}
