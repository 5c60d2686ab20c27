// The service that restate-server calls: one handler with three `ctx.run`, each of which is a step of its journal.
import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';

const three = restate.service({
  name: 'three',
  handlers: {
    run: async (ctx: restate.Context, input: unknown) => {
      const output: Record<string, unknown> = { input };
      for (const unit of ['a', 'b', 'c']) output[unit] = await ctx.run(unit, () => ({ ok: true }));
      return output;
    },
  },
});

// Not `serve`, which would listen on every address of the machine. It logs nothing: with the end of a benchmark come the
// complaints of calls that were disconnected.
const endpoint = restate.createEndpointHandler({ services: [three], logger: () => {} });
createServer(endpoint).listen(Number(process.env['PORT']), '127.0.0.1');
