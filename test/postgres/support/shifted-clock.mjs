// Loaded before a process's own code: its wall clock is as many ms off as SHIFTED_CLOCK_MS says.
const shiftMs = Number(process.env['SHIFTED_CLOCK_MS'] ?? 0);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
