import { Inject, Injectable } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../config/edge-options.js';
import { checkedMcp } from '../config/mcp-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { selectTools, type ToolSelection } from './tools/tool-selection.js';

/** Fixed by the interface (section 9), whatever the package's version is. */
const SERVER_VERSION = '0.1.0';

/** The checked settings of the gateway. A tool that does not exist stops the start. */
@Injectable()
export class McpSettings {
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly tools: ToolSelection;
  readonly workflowTools: boolean;
  readonly waitMs: number;
  readonly maxSessions: number;

  constructor(@Inject(FLOWGATE_OPTIONS) { serverName = EDGE_DEFAULTS.serverName, mcp }: EdgeOptions) {
    const { tools, workflowTools, waitMs, maxSessions } = checkedMcp(mcp);
    this.serverInfo = { name: serverName, version: SERVER_VERSION };
    this.tools = selectTools(tools);
    this.workflowTools = workflowTools;
    this.waitMs = waitMs;
    this.maxSessions = maxSessions;
  }
}
