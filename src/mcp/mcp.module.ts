import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { McpController } from './mcp.controller.js';
import { McpSettings } from './mcp-settings.js';
import { OfficialGateway } from './official/official-gateway.js';
import { McpServerFactory } from './official/server-factory.js';
import { PlainGateway } from './plain/plain-gateway.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { ListOperations } from './tools/list-operations.js';
import { ToolOperations } from './tools/tool-operations.js';

/** The gateway for agents; it has no rule of its own, the services behind the HTTP endpoints do the work. */
@Module({
  providers: [McpSettings, ListOperations, ToolOperations, PlainGateway, McpServerFactory, OfficialGateway],
})
export class McpModule {
  static around(imports: readonly DynamicModule[], { mcp }: HttpParts): DynamicModule {
    return featureOf(McpModule, {
      imports,
      controllers: mcp === true ? [McpController, ProtectedResourceController] : [],
    });
  }
}
