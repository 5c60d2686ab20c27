import { Injectable } from '@nestjs/common';
import type { ServerExtension } from './server-parts.js';

/** What the servers of the official profile are made of, beyond what is ours. */
@Injectable()
export class McpServerFactory {
  private extensions: readonly ServerExtension[] = [];

  /** Adds to what servers offer, or wraps it. To be called before the first request. */
  extend(extension: ServerExtension): void {
    this.extensions = [...this.extensions, extension];
  }

  readonly extension: ServerExtension = (parts) =>
    this.extensions.reduce((extended, extension) => extension(extended), parts);
}
