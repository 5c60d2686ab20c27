import { Module, type DynamicModule } from '@nestjs/common';
import { featureOf } from '../config/feature.js';
import type { HttpParts } from '../config/placement.js';
import { AuditController } from './routes/audit.controller.js';
import { AuditService } from './routes/audit.service.js';
import { KeysController } from './routes/keys.controller.js';
import { OwnersController } from './routes/owners.controller.js';
import { WhoAmIController } from './routes/whoami.controller.js';

/** Who one is, and the keys that one has. */
@Module({ providers: [AuditService] })
export class AccessModule {
  static around(imports: readonly DynamicModule[], { access }: HttpParts): DynamicModule {
    return featureOf(AccessModule, {
      imports,
      controllers:
        access === true ? [WhoAmIController, KeysController, OwnersController, AuditController] : [],
    });
  }
}
