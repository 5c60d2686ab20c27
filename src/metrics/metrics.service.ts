import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ENGINE, TELEMETRY } from '../config/instance-tokens.js';
import type { Engine, StandingFigures } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';
import { CONTENT_TYPES, expositionOf, type Format } from './exposition.js';
import { familiesOf } from './families.js';
import { Meter } from './meter.js';

/** How long the store's totals are cached: reading them scans all runs that have not ended. */
const TOTALS_FOR_MS = 5_000;
/** A disk that hangs is not waited for; its values are left out. */
const TOTALS_WITHIN_MS = 2_000;

export interface MetricsText {
  readonly text: string;
  readonly contentType: string;
}

/** The metrics of one instance as text. Concurrent requests share one result. */
@Injectable()
export class MetricsService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Metrics');
  private readonly writing = new Map<Format, Promise<MetricsText>>();
  private totals: { readonly known: StandingFigures; readonly until: number } | null = null;
  private asking: Promise<StandingFigures | null> | null = null;
  private hasSaidWhy = false;

  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    @Inject(TELEMETRY) private readonly meter: Meter | null,
  ) {}

  onModuleInit(): void {
    this.meter?.loopDelay.start();
  }

  onModuleDestroy(): void {
    this.meter?.loopDelay.stop();
  }

  text(format: Format): Promise<MetricsText> {
    const underWay = this.writing.get(format);
    if (underWay !== undefined) return underWay;
    const writing = this.write(format).finally(() => this.writing.delete(format));
    this.writing.set(format, writing);
    return writing;
  }

  private async write(format: Format): Promise<MetricsText> {
    const totals = await within(TOTALS_WITHIN_MS, this.readTotals());
    const families = familiesOf(this.meter ?? new Meter(), { engine: this.engine.figures(), totals });
    return { text: expositionOf(families, format), contentType: CONTENT_TYPES[format] };
  }

  private async readTotals(): Promise<StandingFigures | null> {
    if (this.totals !== null && performance.now() < this.totals.until) return this.totals.known;
    this.asking ??= this.askStore().finally(() => (this.asking = null));
    return this.asking;
  }

  /** Null if the store cannot report them; that is logged once, because scrapes come every few seconds. */
  private async askStore(): Promise<StandingFigures | null> {
    if (this.engine.isClosing) return null;
    try {
      const known = await this.engine.standing();
      this.totals = { known, until: performance.now() + TOTALS_FOR_MS };
      this.hasSaidWhy = false;
      return known;
    } catch (error) {
      if (!this.hasSaidWhy)
        this.logger.warn(`The metrics are without what the store knows: ${messageOf(error)}`);
      this.hasSaidWhy = true;
      return null;
    }
  }
}

async function within<T>(ms: number, asking: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([asking, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
