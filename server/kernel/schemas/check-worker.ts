// A worker that checks what may take long. It answers requests in their order, and is ended from outside.
import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '../../../shared/json.ts';
import { checkSchemaDocument, type SchemaCheck } from './check-document.ts';
import type { CheckReply, CheckRequest, DocumentRequest, ValuesRequest } from './check-workers.ts';
import { compileUserSchema } from './compile.ts';

type Check = ReturnType<typeof compileUserSchema>;

const MOST_COMPILED = 50;
const compiled = new Map<string, Check>();

function compile(schema: string, root: string): Check {
  const key = `${root}\n${schema}`;
  const check = compiled.get(key) ?? compileUserSchema(JSON.parse(schema) as JsonObject, root);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, check);
  return check;
}

function checkValues({ schema, root, values, pointer }: ValuesRequest): CheckReply {
  const check = compile(schema, root);
  reply('compiled');
  return { issues: (JSON.parse(values) as unknown[]).map((value) => check(value, pointer)) };
}

/** A schema that is taken is compiled too: what takes too long is found when it is saved, not when it is used. */
function checkDocument({ schema, pointer }: DocumentRequest): SchemaCheck {
  const found = checkSchemaDocument(JSON.parse(schema), pointer);
  if (found.issues.length === 0) compile(schema, 'The input');
  return found;
}

function reply(message: CheckReply): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (request: CheckRequest) => {
  reply(request.kind === 'values' ? checkValues(request) : { document: checkDocument(request) });
});
reply('ready');
