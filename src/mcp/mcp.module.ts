import { Module, type DynamicModule } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ToolsService } from './tools.service.js';

/** The JSON-RPC gateway; it has no rule of its own, the services behind the HTTP endpoints do the work. */
@Module({ controllers: [McpController], providers: [McpService, ToolsService] })
export class McpModule {
  static around(shared: readonly DynamicModule[]): DynamicModule {
    return { module: McpModule, imports: [...shared] };
  }
}
