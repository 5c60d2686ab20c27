import { Module } from '@nestjs/common';
import { FlowgateModule } from 'flowgate';
import { Settings, SettingsModule } from './settings.js';
import { Tickets } from './tickets.js';

@Module({
  imports: [
    // Where it stands is known before; the rest comes from what the application is configured with.
    FlowgateModule.forRootAsync({
      prefix: 'flows',
      http: { registration: false, memory: false },
      imports: [SettingsModule],
      inject: [Settings],
      useFactory: ({ maxBodyBytes }: Settings) => ({ maxBodyBytes }),
    }),
    FlowgateModule.forFeature({ workflows: [new URL('ticket.yaml', import.meta.url)] }),
  ],
  providers: [Tickets],
})
export class AppModule {}
