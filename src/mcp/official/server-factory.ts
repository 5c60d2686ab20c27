import { Injectable } from '@nestjs/common';
import type { ServerExtension } from './server-parts.js';

/** Collects extensions of the servers of the official profile. */
@Injectable()
export class McpServerFactory {
  private extensions: readonly ServerExtension[] = [];

  /** Adds to what servers offer, or wraps it. Must be called before the first request. */
  extend(extension: ServerExtension): void {
    this.extensions = [...this.extensions, extension];
  }

  readonly extension: ServerExtension = (parts) =>
    this.extensions.reduce((extended, extension) => extension(extended), parts);
}
