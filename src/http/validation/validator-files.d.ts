/** The single files of class-validator have the types of its entry; the package declares none for them. */
declare module 'class-validator/cjs/*' {
  export * from 'class-validator';
}

/** Where class-transformer keeps the metadata of its decorators; the package declares no types for the file. */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(
      target: new () => object,
      property: string,
    ): { readonly typeFunction: () => unknown } | undefined;
  };
}
