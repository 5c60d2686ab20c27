// The clients that people use today, old and new, and how each is told to negotiate. Which version of each, the pins say.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const HERE = resolve('tools', 'mcp');
export const OLD = '2025-11-25';
export const NEW = '2026-07-28';

const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
const ofNpm = (name) => dependencies[name];
const ofPip = (requirements, name) => {
  const pins = readFileSync(join(HERE, 'python', requirements), 'utf8');
  return new RegExp(`^${name}==(.+)$`, 'm').exec(pins)[1];
};

const SDK = `TypeScript SDK ${ofNpm('@modelcontextprotocol/sdk')}`;
const CLIENT = `TypeScript client ${ofNpm('@modelcontextprotocol/client')}`;
const INSPECTOR = `Inspector ${ofNpm('@modelcontextprotocol/inspector')}`;
const MCP_1 = `Python mcp ${ofPip('v1.txt', 'mcp')}`;
const MCP_2 = `Python mcp ${ofPip('v2.txt', 'mcp')}`;
const FASTMCP = `Python fastmcp ${ofPip('v2.txt', 'fastmcp')}`;

const javaScript = (name, script, revision, mode) => ({ name, script, requirements: null, revision, mode });
const python = (name, script, requirements, revision, mode) => ({
  name,
  script: join('python', script),
  requirements,
  revision,
  mode,
});

/** `revision`: what is to be negotiated; `mode`: what the script is told, null where there is nothing to choose. */
export const CLIENTS = [
  javaScript(SDK, 'typescript-v1.mjs', OLD, null),
  javaScript(`${SDK}, of the page`, 'page.mjs', OLD, null),
  javaScript(`${CLIENT}, legacy`, 'typescript-v2.mjs', OLD, 'legacy'),
  javaScript(`${CLIENT}, auto`, 'typescript-v2.mjs', NEW, 'auto'),
  javaScript(`${CLIENT}, pinned`, 'typescript-v2.mjs', NEW, 'pin'),
  javaScript(`${INSPECTOR}, legacy`, 'inspector.mjs', OLD, 'legacy'),
  javaScript(`${INSPECTOR}, modern`, 'inspector.mjs', NEW, 'modern'),
  python(MCP_1, 'mcp_v1.py', 'v1.txt', OLD, null),
  python(`${MCP_2}, legacy`, 'mcp_v2.py', 'v2.txt', OLD, 'legacy'),
  python(`${MCP_2}, auto`, 'mcp_v2.py', 'v2.txt', NEW, 'auto'),
  python(`${MCP_2}, pinned`, 'mcp_v2.py', 'v2.txt', NEW, NEW),
  python(`${MCP_1}, of the page`, 'page.py', 'v1.txt', OLD, 'mcp-1'),
  python(`${MCP_2}, of the page`, 'page.py', 'v2.txt', NEW, 'mcp-2'),
  python(`${FASTMCP}, of the page`, 'page.py', 'v2.txt', NEW, 'fastmcp'),
  python(`${FASTMCP}, legacy`, 'fast_mcp.py', 'v2.txt', OLD, 'legacy'),
  python(`${FASTMCP}, auto`, 'fast_mcp.py', 'v2.txt', NEW, 'auto'),
];
