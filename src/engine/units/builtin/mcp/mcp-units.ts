import type { JsonObject } from '../../../core/json.js';
import type { Clock } from '../../../ports/clock.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../../ports/unit-executor.js';
import { excerpt, failedOutcome } from '../../outcome.js';
import type { AddressPolicy } from '../../http/addresses/address-policy.js';
import { secretsOfResponse } from '../../http/response-secrets.js';
import type { LargeResponses } from '../../http/large-responses/large-responses.js';
import { createSecretMask } from '../../http/secret-mask.js';
import { maskOutcome } from '../../masking/mask-outcome.js';
import type { SecretFinder } from '../../masking/secret-finder.js';
import { finderOf } from '../../masking/secret-forms.js';
import type { McpConnections } from './mcp-connections.js';
import type { ToolClient } from './tool-client.js';
import { argumentsOf, isSameTool, readToolSettings, type ToolSettings } from './tool-settings.js';

export interface McpUnitsOptions {
  readonly addresses: AddressPolicy;
  readonly largeResponses: LargeResponses;
  readonly maxResponseBytes: number;
  readonly clock: Pick<Clock, 'wallTime'>;
}

/** Loaded at the first call: an engine that calls no tool never pays for the MCP client. */
interface Loaded {
  readonly connections: McpConnections;
  readonly ToolClient: typeof ToolClient;
}

/** `builtin.mcp`: calls a tool of an MCP server. `with` is the tool's arguments; without one, the run's input. */
export class McpUnits {
  #loading: Promise<Loaded> | null = null;
  #isClosed = false;

  constructor(private readonly options: McpUnitsOptions) {}

  /** `masked` values must not appear in its outcomes. */
  executorWith(masked: readonly string[]): UnitExecutor {
    return new McpUnit(this, masked);
  }

  /** Only for the units themselves. */
  async clientOf(settings: ToolSettings, quote: (text: string) => string): Promise<ToolClient> {
    if (this.#isClosed) throw new Error('the engine is closed');
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    const { connections, ToolClient: Loaded } = await this.#loading;
    const { clock, maxResponseBytes } = this.options;
    return new Loaded(settings, { quote, clock, maxResponseBytes }, connections);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const loaded = await this.#loading?.catch(() => null);
    await loaded?.connections.close();
  }

  async #load(): Promise<Loaded> {
    const { McpConnections: Connections } = await import('./mcp-connections.js');
    const { ToolClient: Loaded } = await import('./tool-client.js');
    return { connections: new Connections(this.options), ToolClient: Loaded };
  }
}

/** The client for one config. */
interface KnownTool {
  readonly config: JsonObject;
  readonly client: ToolClient;
  /** Hides in an outcome the secrets that were sent along. */
  readonly finder: SecretFinder;
}

class McpUnit implements UnitExecutor {
  /** The last call's tool is kept: most units always call the same one. */
  #known: KnownTool | null = null;

  constructor(
    private readonly units: McpUnits,
    private readonly masked: readonly string[],
  ) {}

  async execute(request: UnitRequest, options: ExecuteOptions): Promise<UnitOutcome> {
    try {
      const { config } = request.context;
      const args = argumentsOf(request.input);
      if (args === null) return wrong('the arguments of a tool are fields: write them one by one in with');
      const isKnown = this.#known !== null && isSameTool(this.#known.config, config);
      const tool = isKnown && this.#known !== null ? this.#known : await this.#toolOf(config);
      if (typeof tool === 'string') return wrong(tool);
      this.#known = tool;
      return maskOutcome(await tool.client.call(args, request, options), tool.finder);
    } catch {
      // The engine itself failed; the cause's text might repeat what must not be seen.
      return failedOutcome('the tool cannot be called now', { retryable: true, outcome: 'refused' });
    }
  }

  async #toolOf(config: JsonObject): Promise<KnownTool | string> {
    const settings = readToolSettings(config);
    if (typeof settings === 'string') return settings;
    const { endpoint, headers } = settings;
    const mask = createSecretMask(endpoint, headers, this.masked);
    const client = await this.units.clientOf(settings, (text) => excerpt(text, mask));
    return { config, client, finder: finderOf([...secretsOfResponse(endpoint, headers), ...this.masked]) };
  }
}

function wrong(problem: string): UnitOutcome {
  return failedOutcome(`builtin.mcp: ${problem}`, { retryable: false, outcome: 'refused' });
}
