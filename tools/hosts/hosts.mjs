// The hosts that Flowgate is installed into: both module kinds, both adapters, the ends of the range of Nest, TypeScript 5
// and 7, npm and pnpm, the oldest Node. Versions are exact, and stand for what a team has when it adds Flowgate.

const NEWEST_12 = { nest: '12.5.1', express: '12.5.1', fastify: '12.5.0' };
/** 12.0.0 cannot be installed by anybody: its core wants a common of 11. */
const OLDEST_12 = { nest: '12.0.1', express: '12.0.1', fastify: '12.0.1' };
const NEWEST_11 = { nest: '11.2.10', express: '11.2.10', fastify: '11.2.8' };

const TYPESCRIPT_5 = '5.9.3';
const TYPESCRIPT_7 = '7.0.2';
const OLDEST_NODE = '22.13.0';

/** How the compiler is told to find packages: as Nest's own starter says it today, and as it did for years. */
const NODE_NEXT = { module: 'nodenext', moduleResolution: 'nodenext' };
const NODE_10 = { module: 'commonjs', moduleResolution: 'node10' };

/** `node` null: the Node of the scripts. */
export const HOSTS = [
  {
    name: 'esm-nest12-newest-express',
    type: 'module',
    versions: NEWEST_12,
    adapter: 'express',
    typescript: TYPESCRIPT_7,
    resolution: NODE_NEXT,
    manager: 'npm',
    node: null,
  },
  {
    name: 'esm-nest12-oldest-fastify',
    type: 'module',
    versions: OLDEST_12,
    adapter: 'fastify',
    typescript: TYPESCRIPT_5,
    resolution: NODE_NEXT,
    manager: 'pnpm',
    node: null,
  },
  {
    name: 'cjs-nest12-fastify',
    type: 'commonjs',
    versions: NEWEST_12,
    adapter: 'fastify',
    typescript: TYPESCRIPT_7,
    resolution: NODE_NEXT,
    manager: 'npm',
    node: OLDEST_NODE,
  },
  {
    name: 'cjs-nest11-express',
    type: 'commonjs',
    versions: NEWEST_11,
    adapter: 'express',
    typescript: TYPESCRIPT_5,
    resolution: NODE_10,
    manager: 'npm',
    node: null,
  },
];
