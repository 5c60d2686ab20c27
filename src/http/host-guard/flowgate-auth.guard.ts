import {
  Inject,
  Injectable,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { hostDoorToken } from '../../instance.js';
import type { HostDoor } from './host-door.js';

/**
 * Guards controllers of the host as Flowgate's own are: by the option `auth` of `FlowgateModule`, which has to be imported where the
 * controller is, or be global. 401 where nobody is known, 403 where what `@FlowgateRequires` names is not granted, 503 where it cannot
 * be found out. Of the instance without a name; of another one see `flowgateAuthGuard`.
 */
@Injectable()
export class FlowgateAuthGuard implements CanActivate {
  /** Throws a `SetupError` where `auth` is left out. */
  constructor(@Inject(hostDoorToken()) private readonly door: Pick<HostDoor, 'assertAsked' | 'admit'>) {
    door.assertAsked();
  }

  canActivate(context: ExecutionContext): Promise<boolean> {
    return this.door.admit(context);
  }
}

/** `FlowgateAuthGuard` of the instance of that name. */
export function flowgateAuthGuard(name: string): Type<CanActivate> {
  @Injectable()
  class NamedFlowgateAuthGuard extends FlowgateAuthGuard {
    constructor(@Inject(hostDoorToken(name)) door: Pick<HostDoor, 'assertAsked' | 'admit'>) {
      super(door);
    }
  }
  return mixin(NamedFlowgateAuthGuard);
}
