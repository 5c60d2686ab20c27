/** The single files of class-validator have the types of its entry; the package declares none for them. */
declare module 'class-validator/cjs/*' {
  export * from 'class-validator';
}
