// Imported before a command: a command that loads a package of Nest fails.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@nestjs/')) throw new Error('Nest was loaded');
    return next(specifier, context);
  },
});
