export { type AdaptedSchema, adaptSchema, COMMON_RULES, type SchemaRules } from './adapt-schema.ts';
export { movedSchema } from './wrap-input.ts';
