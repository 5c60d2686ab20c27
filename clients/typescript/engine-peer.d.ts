import type { EngineLike } from './src/in-process/engine-like.js';

/** What the client needs of `flowgate/engine`; the declarations are made without compiling the engine. */
export declare function createEngine(options: object): EngineLike;
