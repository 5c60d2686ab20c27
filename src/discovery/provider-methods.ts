import { ContextIdFactory, ModuleRef, type DiscoveryService, type MetadataScanner } from '@nestjs/core';
import { NonRetryableError } from '../errors/unit-errors.js';
import type { Declarations } from './declarations.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** Where Nest finds what is declared, and what the members of a class are called. */
export interface Scan {
  readonly discovery: DiscoveryService;
  readonly scanner: MetadataScanner;
}

export interface Declared<T> {
  readonly value: T;
  readonly method: ProviderMethod;
}

/** The method of a class that a decorator on the class means. */
const RUN = 'run';

/**
 * A method of a provider of the host, called in the provider as the host's modules made it: the one instance, or, where the
 * provider or something that it injects is of the scope of a request, or transient, one for each call, which nothing holds
 * on to afterwards.
 */
export class ProviderMethod {
  constructor(
    private readonly provider: Wrapper,
    readonly name: string,
  ) {}

  /** For an error: `Invoices.total in BillingModule`. */
  get place(): string {
    const { token, name, host } = this.provider;
    const owner = typeof token === 'function' ? token.name : String(name);
    return `${owner}.${this.name}${host === undefined ? '' : ` in ${host.name}`}`;
  }

  /** `request` is what providers of this call are given as `REQUEST`. */
  call(request: unknown, args: readonly unknown[]): unknown {
    const { provider } = this;
    if (provider.isDependencyTreeStatic() && !provider.isTransient) return this.on(provider.instance, args);
    return this.resolved(request).then((instance) => this.on(instance, args));
  }

  private resolved(request: unknown): Promise<unknown> {
    const { host, token } = this.provider;
    const modules = host?.getProviderByKey<ModuleRef>(ModuleRef)?.instance;
    if (modules === undefined) throw new NonRetryableError(`${this.place} belongs to no module`);
    const contextId = ContextIdFactory.create();
    modules.registerRequestByContextId(request, contextId);
    return modules.resolve(token, contextId, { strict: true });
  }

  private on(instance: unknown, args: readonly unknown[]): unknown {
    const method = (instance as Readonly<Record<string, unknown>> | null)?.[this.name];
    if (typeof method !== 'function') {
      throw new NonRetryableError(`${this.place} is no method of what the application provides there`);
    }
    return Reflect.apply(method, instance, args);
  }
}

/**
 * All that is declared of the providers of all modules. Looks at classes, so it can be asked before there are instances:
 * the class that a provider is asked for by, or else the one that it is made of. `useExisting` is another name for what is
 * found anyway.
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

/** What is declared where it has no effect. */
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
