import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { InvalidRequestError } from '../../errors/request-errors.js';
import { ShuttingDownError } from '../../errors/service-errors.js';
import { HitlService } from '../../hitl/hitl.service.js';
import type { Login } from '../../http/access/login.js';
import { EngineLife } from '../../http/identity/engine-life.js';
import { McpSettings } from '../mcp-settings.js';
import { ToolOperations } from '../tools/tool-operations.js';
import type { OfficialProfile } from './assembly.js';
import { ChangeNotices } from './change-notices.js';
import { rootKey, type KeyOptions } from './keys.js';
import { exceededLimit } from './message-bounds.js';
import type { AboutResource, ProtectedResource } from './protected-resource.js';
import { McpServerFactory } from './server-factory.js';
import type { HttpResponse, HttpExchange } from './sessions/http-exchange.js';

const MAX_LOGGED_CHARS = 500;
/** The time for the last responses to be written. */
const LAST_RESPONSES_MS = 100;

/** The official profile of the gateway. It is assembled at the first request. */
@Injectable()
export class OfficialGateway implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Mcp');
  private profile: Promise<OfficialProfile> | null = null;
  private notices: ChangeNotices | null = null;
  private isClosed = false;
  /** The responses that are not completely written. */
  private readonly unwritten = new Set<ServerResponse>();

  constructor(
    private readonly engine: EngineLife,
    @Inject(FLOWGATE_OPTIONS)
    private readonly options: KeyOptions,
    private readonly settings: McpSettings,
    private readonly operations: ToolOperations,
    private readonly hitl: HitlService,
    private readonly factory: McpServerFactory,
  ) {}

  /**
   * Answers every request, also faulty ones. Rejects with a `ShuttingDownError`, or with an `InvalidRequestError` for
   * a body that exceeds a limit.
   */
  async answer(exchange: HttpExchange): Promise<HttpResponse> {
    if (this.isClosed) throw new ShuttingDownError();
    const exceeded = exceededLimit(exchange.body);
    if (exceeded !== null) throw new InvalidRequestError(exceeded);
    this.profile ??= this.assemble().catch((error: unknown) => {
      this.profile = null;
      throw error;
    });
    const { response } = exchange;
    if (!response.destroyed) {
      this.unwritten.add(response);
      response.once('close', () => this.unwritten.delete(response));
    }
    return (await this.profile).serving.answer(exchange);
  }

  /** The document about the gateway for clients that log in. The SDK makes it, which most services never load. */
  async protectedResource(login: Login, about: AboutResource): Promise<ProtectedResource> {
    const { protectedResource } = await import('./protected-resource.js');
    return protectedResource(login, about);
  }

  /** How many sessions of the 2025 revisions are kept. */
  async sessionCount(): Promise<number> {
    return (await this.profile)?.serving.sessionCount ?? 0;
  }

  /** Waiting calls are answered once the engine has closed; open streams would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    this.notices?.close();
    const profile = await this.profile?.catch(() => null);
    if (profile === null || profile === undefined) return;
    await this.engine.close();
    if (profile.serving.isBusy) await setTimeout(LAST_RESPONSES_MS);
    await profile.serving.close();
    await this.allWritten();
  }

  /** A connection whose response ends after its server has closed would delay the process's end by its keep-alive time. */
  private async allWritten(): Promise<void> {
    const ends = [...this.unwritten].map((response) => once(response, 'close'));
    await Promise.race([Promise.all(ends), setTimeout(LAST_RESPONSES_MS, undefined, { ref: false })]);
  }

  private async assemble(): Promise<OfficialProfile> {
    const { settings, operations, hitl, options, logger } = this;
    const { assembleOfficial } = await import('./assembly.js');
    const profile = assembleOfficial({
      settings,
      operations,
      hitl,
      rootKey: await rootKey(options),
      extension: this.factory.extension,
      onFault: (error) =>
        logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      // Clients are told their own errors, which are not the service's trouble. The SDK quotes them, and what a person
      // answered to a question must not be logged.
      onError: ({ message }) => logger.debug(message.replace(/\{.*$/s, '…').slice(0, MAX_LOGGED_CHARS)),
    });
    this.notices = new ChangeNotices(this.engine, {
      note: profile.workflowsChanged,
      notify: profile.announce,
    });
    return profile;
  }
}
