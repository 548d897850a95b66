import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { useJsonEquality } from './equality-keywords.ts';
import { useFormats } from './formats.ts';
import { issuesOf } from './issues-of.ts';
import { prepareSchema } from './prepare.ts';
import { ROOT_KEY, useUnevaluated } from './unevaluated.ts';
import { re2, type RegExpEngine, unusedPatterns } from './regular-expressions.ts';

let written = 0;

/** V8 keeps code for good whose text it was given twice; a schema's is kept as long as the schema. */
function unlikeAnyOther(code: string): string {
  written += 1;
  return `${code}\n// ${written}`;
}

/** An ajv for one schema of an author's: it is let go with the schema, and knows no other. */
function createAjv(schema: JsonObject, regExp: RegExpEngine, process: (code: string) => string): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    ownProperties: true,
    // The document was checked; checking it again would compile the metaschema for each ajv.
    meta: false,
    validateSchema: false,
    // A schema that is referred to often is compiled once: inlined, a thousand of them make a million.
    inlineRefs: false,
    // Prices: 19.99 is a multiple of 0.01, though the quotient of the doubles is not whole.
    multipleOfPrecision: 9,
    // What is optimized is compiled more slowly, several times over, and checks no faster.
    code: { regExp, optimize: false, process },
  });
  ajv.opts.unevaluated = false;
  useUnevaluated(ajv, schema, regExp);
  useJsonEquality(ajv);
  useFormats(ajv);
  ajv.addSchema(schema, ROOT_KEY);
  return ajv;
}

/**
 * Compiles a checked schema. Nothing of a value is coerced or filled in.
 * @param root what the value itself is called, for example "The input"
 */
export function compileUserSchema(schema: JsonObject, root: string): (value: unknown, pointer: string) => Issue[] {
  const prepared = prepareSchema(schema);
  const validate = createAjv(prepared, re2, unlikeAnyOther).compile(prepared);
  return (value, pointer) => {
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    validate.errors = null;
    return issuesOf(errors, value, { pointer, root, missingAt: 'holder', schema: prepared });
  };
}

/**
 * Finds what only compiling finds: code is written and not read. Patterns are taken as they are, checked one by one.
 * @throws Error when the schema cannot be compiled
 */
export function tryCompile(schema: JsonObject): void {
  const prepared = prepareSchema(schema);
  createAjv(prepared, unusedPatterns, () => 'return () => true').compile(prepared);
}
