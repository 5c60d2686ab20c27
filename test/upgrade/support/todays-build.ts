import { createEngine } from '../../../src/engine/index.js';
import { SqliteRunStore } from '../../../src/storage/sqlite/sqlite-run-store.js';
import { builtWorkers } from '../../support/built-worker.js';
import type { Build } from './engine.ts';

/** The sources under test. */
export const TODAYS_BUILD: Build = { createEngine, SqliteRunStore, workers: builtWorkers };
