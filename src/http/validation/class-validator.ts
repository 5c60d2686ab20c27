// oxlint-disable-next-line typescript/triple-slash-reference -- a program that takes in the sources has no other way to it
/// <reference path="./validator-files.d.ts" />

/**
 * The parts of class-validator that our DTOs use, each imported from its own file. The package's entry loads every
 * check, including those for the world's telephone numbers: 320 files, and 75 to 100 ms of every start, even of a
 * host that uses none of them. A host that imports the entry gets the same files, and the same metadata.
 */
export { Allow } from 'class-validator/cjs/decorator/common/Allow.js';
export { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
export { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
export { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
export { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
export { Max } from 'class-validator/cjs/decorator/number/Max.js';
export { Min } from 'class-validator/cjs/decorator/number/Min.js';
export { Length } from 'class-validator/cjs/decorator/string/Length.js';
export { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
export { MaxLength } from 'class-validator/cjs/decorator/string/MaxLength.js';
export { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';
export { IsBoolean } from 'class-validator/cjs/decorator/typechecker/IsBoolean.js';
export { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt.js';
export { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';
export { IsObject } from 'class-validator/cjs/decorator/typechecker/IsObject.js';
export { IsString } from 'class-validator/cjs/decorator/typechecker/IsString.js';
export { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';
export { ValidationTypes } from 'class-validator/cjs/validation/ValidationTypes.js';
export { Validator } from 'class-validator/cjs/validation/Validator.js';
