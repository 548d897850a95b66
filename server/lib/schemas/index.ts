export { checkSchemaDocument, type SchemaCheck } from './check-document.ts';
export { type CompiledSchema, createSchemaChecker, type SchemaChecker } from './checker.ts';
export { compileOwnSchema } from './own.ts';
export { code, fieldsOf } from './overview-words.ts';
