import { v7 } from 'uuid';
import type { Ids } from '../ports/ids.js';

export const uuidIds: Ids = { runId: () => v7() };
