export class RunLog {
  constructor(_logger: unknown) {}
  fromEvents(_state: unknown, _events: unknown): void {}
}
