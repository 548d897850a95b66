// Checks values against schemas of authors. Small values are checked at once; large ones, and schemas whose work
// can grow faster than the value, in a worker that is ended when it takes longer than its deadline.
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { createCheckWorkers } from './check-workers.ts';
import { compileUserSchema } from './compile.ts';
import { weightOf } from './weight.ts';

export interface CompiledSchema {
  /**
   * What is wrong with the value, at most 50 issues, at pointers below `pointer`.
   * @throws Refused `conflict` kind `unworkable` when the check takes longer than a second
   */
  check(value: Json, pointer: string): Promise<Issue[]>;
}

export interface SchemaChecker {
  /**
   * Compiles a schema, or finds it among those that were used last.
   * @param schema one in which checkSchemaDocument found no issue
   * @param root what a checked value is called in the issues; "The input" when absent
   */
  compileSchema(schema: JsonObject, root?: string): CompiledSchema;
  /** Ends the workers; checks that need one are refused from then on. */
  close(): Promise<void>;
}

const LARGE_BYTES = 32 * KIB;
/** Bytes of the value times weight of the schema that are checked beside everything else; where all is wrong, 0.2 s. */
const MOST_WORK = 200_000;
const MOST_COMPILED = 200;

export function createSchemaChecker(): SchemaChecker {
  const compiled = new Map<string, CompiledSchema>();
  const workers = createCheckWorkers();

  function compile(schema: JsonObject, schemaText: string, root: string): CompiledSchema {
    const weight = weightOf(schema);
    let check: ReturnType<typeof compileUserSchema> | undefined;
    return {
      async check(value, pointer) {
        const text = JSON.stringify(value);
        const bytes = Buffer.byteLength(text);
        if (bytes > LARGE_BYTES || bytes * weight > MOST_WORK) {
          return workers.check({ schema: schemaText, root, value: text, pointer });
        }
        check ??= compileUserSchema(schema, root);
        return check(value, pointer);
      },
    };
  }

  return {
    compileSchema(schema, root = 'The input') {
      const text = JSON.stringify(schema);
      const key = `${root}\n${text}`;
      const found = compiled.get(key) ?? compile(schema, text, root);
      // Put last again: what is used longest ago stands first.
      compiled.delete(key);
      compiled.set(key, found);
      const [oldest] = compiled.keys();
      if (compiled.size > MOST_COMPILED && oldest !== undefined) compiled.delete(oldest);
      return found;
    },
    close: () => workers.close(),
  };
}
