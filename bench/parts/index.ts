import type { Part } from '../support/part.ts';
import { consoleSpeed } from './console/index.ts';
import { engine } from './engine.ts';
import { growth } from './growth/index.ts';
import { httpSqlite } from './http-sqlite.ts';
import { http } from './http.ts';
import { idle } from './idle/index.ts';
import { mcp } from './mcp.ts';
import { postgres } from './postgres.ts';
import { quiet } from './quiet.ts';
import { streams } from './streams.ts';
import { sustained } from './sustained.ts';
import { units } from './units.ts';
import { waiting } from './waiting.ts';

/** In the order in which they run and are on the page. */
export const parts: readonly Part[] = [
  engine,
  http,
  httpSqlite,
  units,
  quiet,
  sustained,
  mcp,
  growth,
  idle,
  waiting,
  streams,
  postgres,
  consoleSpeed,
];
