export { type AdaptedSchema, adaptSchema, COMMON_RULES, type SchemaRules } from './adapt-schema.ts';
