import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ToolsService } from './tools.service.js';

/** The JSON-RPC gateway; it has no rule of its own, the services behind the HTTP endpoints do the work. */
@Module({ providers: [McpService, ToolsService] })
export class McpModule {
  static around(imports: readonly DynamicModule[], { mcp }: HttpParts): DynamicModule {
    return featureOf(McpModule, { imports, controllers: mcp === true ? [McpController] : [] });
  }
}
