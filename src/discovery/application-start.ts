import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

/**
 * Defers calls to the host's providers until all of its modules are initialised: otherwise a run that was in flight
 * when the last process ended could call a unit whose provider has not opened its connections yet.
 */
@Injectable()
export class ApplicationStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('Flowgate');
  private readonly started = Promise.withResolvers<void>();
  private isSaid = false;
  private hasStarted = false;

  /** Whether all modules of the host are initialised. */
  get isOver(): boolean {
    return this.hasStarted;
  }

  onApplicationBootstrap(): void {
    this.hasStarted = true;
    this.started.resolve();
  }

  /** Calls immediately if the application has started, otherwise once it has. */
  whenOver<T>(call: () => T): T | Promise<Awaited<T>> {
    if (this.isOver) return call();
    if (!this.isSaid) {
      this.logger.log(
        'Units are called once every module is initialised (app.init() or app.listen()): nothing before may wait for a run',
      );
      this.isSaid = true;
    }
    return this.started.promise.then(call) as Promise<Awaited<T>>;
  }
}
