import { Injectable, Module } from '@nestjs/common';

@Injectable()
export class Settings {
  readonly maxBodyBytes = Number(process.env['MAX_BODY_BYTES'] ?? 100_000);
}

@Module({ providers: [Settings], exports: [Settings] })
export class SettingsModule {}
