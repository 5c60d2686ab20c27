import { namedSchema, objectOf, TEXT, TEXTS } from '../schema-class.js';

export const ProtectedResourceSchema = namedSchema(
  'ProtectedResource',
  objectOf(
    {
      resource: { ...TEXT, description: 'Whom tokens must be meant for: where the gateway is' },
      authorization_servers: { ...TEXTS, description: 'Who issues tokens' },
      scopes_supported: { ...TEXTS, description: 'What to ask them for' },
      resource_name: TEXT,
      bearer_methods_supported: TEXTS,
    },
    ['scopes_supported'],
  ),
);
