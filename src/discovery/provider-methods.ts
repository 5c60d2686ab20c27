import { ContextIdFactory, ModuleRef, type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import { NonRetryableError } from '../errors/unit-errors.js';
import type { Declarations } from './declarations.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** How to find the host's providers and the members of their classes. */
export interface Scan {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
}

export interface Declared<T> {
  readonly value: T;
  readonly method: ProviderMethod;
}

/** The method that a decorator on a class refers to. */
const RUN = 'run';

/**
 * A method of a provider of the host, called on the provider as the host's modules made it: on its one instance or,
 * where the provider or one of its dependencies is transient or request-scoped, on an instance of each call, which is
 * not kept afterwards.
 */
export class ProviderMethod {
  constructor(
    private readonly provider: Wrapper,
    readonly name: string,
  ) {}

  /** The method's name in errors: `Invoices.total in BillingModule`. */
  get label(): string {
    const { token, name, host } = this.provider;
    const owner = typeof token === 'function' ? token.name : String(name);
    return `${owner}.${this.name}${host === undefined ? '' : ` in ${host.name}`}`;
  }

  /** `request` is what providers of this call get as `REQUEST`. */
  call(request: unknown, args: readonly unknown[]): unknown {
    const { provider } = this;
    if (provider.isDependencyTreeStatic() && !provider.isTransient) return this.on(provider.instance, args);
    return this.resolved(request).then((instance) => this.on(instance, args));
  }

  private resolved(request: unknown): Promise<unknown> {
    const { host, token } = this.provider;
    const modules = host?.getProviderByKey<ModuleRef>(ModuleRef)?.instance;
    if (modules === undefined) throw new NonRetryableError(`${this.label} belongs to no module`);
    const contextId = ContextIdFactory.create();
    modules.registerRequestByContextId(request, contextId);
    return modules.resolve(token, contextId, { strict: true });
  }

  private on(instance: unknown, args: readonly unknown[]): unknown {
    const method = (instance as Readonly<Record<string, unknown>> | null)?.[this.name];
    if (typeof method !== 'function') {
      throw new NonRetryableError(`${this.label} is no method of what the application provides there`);
    }
    return Reflect.apply(method, instance, args);
  }
}

/**
 * All declarations on the providers of all modules. It looks at classes, so it can run before there are instances: at
 * the class that is the provider's token, or else the one that it is made of. `useExisting` is skipped, because it is
 * another name for a provider that is found anyway.
 */
export function declaredMethods<T>(scan: Scan, declarations: Declarations<T>): readonly Declared<T>[] {
  return scan.discovery.getProviders().flatMap((provider) => {
    if (provider.isAlias) return [];
    for (const made of [provider.token, provider.isNotMetatype ? null : provider.metatype]) {
      const found = declaredIn(scan.scanner, declarations, made, provider);
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** The declarations on controllers, where they have no effect. */
export function declaredOnControllers<T>(scan: Scan, declarations: Declarations<T>): readonly Declared<T>[] {
  return scan.discovery
    .getControllers()
    .flatMap((controller) => declaredIn(scan.scanner, declarations, controller.metatype, controller));
}

function declaredIn<T>(
  scanner: MetadataScanner,
  declarations: Declarations<T>,
  made: unknown,
  provider: Wrapper,
): readonly Declared<T>[] {
  if (typeof made !== 'function') return [];
  const { prototype } = made as { readonly prototype?: Readonly<Record<string, unknown>> };
  if (prototype === undefined || prototype === null) return [];
  const found: Declared<T>[] = [];
  for (const { value, owner } of declarations.of(made)) {
    if (owner === made) found.push({ value, method: new ProviderMethod(provider, RUN) });
  }
  for (const name of scanner.getAllMethodNames(prototype)) {
    for (const { value } of declarations.of(prototype[name])) {
      found.push({ value, method: new ProviderMethod(provider, name) });
    }
  }
  return found;
}
