import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';

/**
 * Keeps calls to the host's providers back until all of its modules are initialised: a run that the last process left in
 * flight would call a unit whose provider has not opened its connections yet.
 */
@Injectable()
export class ApplicationStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('Flowgate');
  private readonly started = Promise.withResolvers<void>();
  private isOver = false;
  private isSaid = false;

  onApplicationBootstrap(): void {
    this.isOver = true;
    this.started.resolve();
  }

  /** At once, once the application has started. */
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
