import { create } from 'axios';
import type { UnitTransport } from '../../src/engine/ports/unit-transport.js';
import { createAxiosTransport } from '../../src/engine/units/http/transport/axios-transport.js';
import { createTransport } from '../../src/engine/units/http/transport/undici-transport.js';
import type { TransportOptions } from '../../src/engine/units/http/transport/unit-pools.js';

type CreateTransport = (options?: TransportOptions) => UnitTransport;

/** Both ways to call a unit: what a suite says of calls holds for either. For `describe.each`. */
export const WAYS: readonly (readonly [way: string, createTransport: CreateTransport])[] = [
  ['undici directly', createTransport],
  ["a host's axios", (options) => createAxiosTransport(create(), options)],
];
