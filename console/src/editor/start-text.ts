/** What a new workflow begins as: it runs wherever the service does. */
export const START_TEXT = `apiVersion: flowgate/v1
kind: Workflow
metadata:
  id: hello
spec:
  input:
    type: object
    required: [name]
    properties:
      name: { type: string, description: Who is greeted }
  units:
    - id: greet
      uses: builtin.mock
      config: { response: 'Hello, \${{ input.name }}!' }
  flow:
    type: sequential
    order: [greet]
`;
