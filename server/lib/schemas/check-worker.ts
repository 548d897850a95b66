// A worker that checks what may take long.
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../shared/json.ts';
import { restartDeadline, serveJobs } from '../worker-pool/index.ts';
import { checkSchemaDocument, type SchemaCheck } from './check-document.ts';
import type { CheckAnswer, CheckRequest, DocumentRequest, ValuesRequest } from './check-workers.ts';
import { compileUserSchema } from './compile.ts';

type Check = ReturnType<typeof compileUserSchema>;

/** For checking values, once their schema is compiled. */
const CHECK_DEADLINE_MS = 1000;
const MOST_COMPILED = 50;
const compiled = new LRUCache<string, Check>({ max: MOST_COMPILED });

function compile(schema: string, root: string): Check {
  const key = `${root}\n${schema}`;
  const check = compiled.get(key) ?? compileUserSchema(JSON.parse(schema) as JsonObject, root);
  compiled.set(key, check);
  return check;
}

function checkValues({ schema, root, values, pointer }: ValuesRequest): CheckAnswer {
  const check = compile(schema, root);
  restartDeadline(CHECK_DEADLINE_MS);
  return { issues: (JSON.parse(values) as unknown[]).map((value) => check(value, pointer)) };
}

/** A schema that is taken is compiled too: what takes too long is found when it is saved, not when it is used. */
function checkDocument({ schema, pointer }: DocumentRequest): SchemaCheck {
  const found = checkSchemaDocument(JSON.parse(schema), pointer);
  if (found.issues.length === 0) compile(schema, 'The input');
  return found;
}

serveJobs<CheckRequest, CheckAnswer>({
  run: (request) => ({
    answer: request.kind === 'values' ? checkValues(request) : { document: checkDocument(request) },
  }),
});
