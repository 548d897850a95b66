// Checks schemas of authors, and values against them. What is small is looked at at once; what is large, schemas whose
// work can grow faster than the value, and patterns that are costly to read, in a worker that is ended when it takes
// longer than its deadline.
import { LRUCache } from 'lru-cache';
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { Refused } from '../rejection.ts';
import { checkSchemaDocument, type SchemaCheck } from './check-document.ts';
import { type CheckWorkers, createCheckWorkers } from './check-workers.ts';
import { compileUserSchema } from './compile.ts';
import { isLight } from './light.ts';
import { weightOf } from './weight.ts';

export { checkSchemaDocument, type SchemaCheck } from './check-document.ts';
export type { CheckWorkers } from './check-workers.ts';
export { LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from './keywords.ts';
export { asNewestDialect } from './older-dialects.ts';
export { compileOwnSchema } from './own.ts';
export { code, fieldsOf } from './overview-words.ts';

export interface CompiledSchema {
  /**
   * What is wrong with the value, at most 50 issues and how many more, at pointers below `pointer`.
   * @throws Refused `conflict` kind `unworkable` when the check takes longer than a second; `unavailable`
   */
  check(value: Json, pointer: string): Promise<Issue[]>;
  /** The same of several values, which together have the time of one. */
  checkEach(values: readonly Json[], pointer: string): Promise<Issue[][]>;
}

export interface SchemaChecker {
  /**
   * What is wrong with a schema of an author's; one that takes longer than two seconds to look at has an issue.
   * @param pointer where the schema stands, as a JSON Pointer
   * @throws Refused `unavailable`
   */
  checkDocument(schema: Json, pointer: string): Promise<SchemaCheck>;
  /**
   * Compiles a schema, or finds it among those that were used last.
   * @param schema one in which checkDocument found no issue
   * @param root what a checked value is called in the issues; "The input" when absent
   */
  compileSchema(schema: JsonObject, root?: string): CompiledSchema;
  /** Ends the workers; checks that need one are refused from then on. */
  close(): Promise<void>;
}

const LARGE_BYTES = 32 * KIB;
/** Bytes of the value times weight of the schema that are checked beside everything else; where all is wrong, 50 ms. */
const MOST_WORK = 100_000;
const MOST_COMPILED = 200;

/** @param workers where checks run that may take long */
export function createSchemaChecker(workers: CheckWorkers = createCheckWorkers()): SchemaChecker {
  const compiled = new LRUCache<string, CompiledSchema>({ max: MOST_COMPILED });

  function compile(schema: JsonObject, schemaText: string, root: string): CompiledSchema {
    const weight = isLight(schema) ? weightOf(schema) : Number.POSITIVE_INFINITY;
    let check: ReturnType<typeof compileUserSchema> | undefined;
    const isFor = (bytes: number): boolean => bytes <= LARGE_BYTES && bytes * weight <= MOST_WORK;
    const inWorker = (values: string, pointer: string): Promise<Issue[][]> =>
      workers.checkValues({ schema: schemaText, root, values, pointer });
    return {
      async check(value, pointer) {
        const text = JSON.stringify(value);
        if (!isFor(Buffer.byteLength(text))) return (await inWorker(`[${text}]`, pointer))[0] ?? [];
        check ??= compileUserSchema(schema, root);
        return check(value, pointer);
      },
      async checkEach(values, pointer) {
        const text = JSON.stringify(values);
        if (!isFor(Buffer.byteLength(text))) return inWorker(text, pointer);
        check ??= compileUserSchema(schema, root);
        const checkOne = check;
        return values.map((value) => checkOne(value, pointer));
      },
    };
  }

  return {
    async checkDocument(schema, pointer) {
      if (isLight(schema)) {
        // A document may hold hundreds of them: what waits has its turn between two.
        await yieldToEventLoop();
        return checkSchemaDocument(schema, pointer);
      }
      try {
        return await workers.checkDocument({ schema: JSON.stringify(schema), pointer });
      } catch (error) {
        if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
        const detail = 'Checking the schema takes longer than two seconds; make it smaller, or simplify its patterns.';
        return { issues: [{ pointer, detail }], warnings: [] };
      }
    },
    compileSchema(schema, root = 'The input') {
      const text = JSON.stringify(schema);
      const key = `${root}\n${text}`;
      const found = compiled.get(key) ?? compile(schema, text, root);
      compiled.set(key, found);
      return found;
    },
    close: () => workers.close(),
  };
}
