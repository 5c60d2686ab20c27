// Imported before a command: from then on this is an older Node, and no package can be loaded any more.
import { registerHooks } from 'node:module';

Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.12.0' } });
registerHooks({
  resolve(specifier, context, next) {
    if (!/^[./]|^file:|^node:/.test(specifier)) throw new Error(`${specifier} was loaded`);
    return next(specifier, context);
  },
});
