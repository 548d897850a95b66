// A worker that checks what may take long. It answers requests in their order, and is ended from outside.
import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '../../../shared/json.ts';
import type { CheckRequest } from './check-workers.ts';
import { compileUserSchema } from './compile.ts';

const MOST_COMPILED = 50;
const compiled = new Map<string, ReturnType<typeof compileUserSchema>>();

parentPort?.on('message', ({ schema, root, value, pointer }: CheckRequest) => {
  const key = `${root}\n${schema}`;
  const check = compiled.get(key) ?? compileUserSchema(JSON.parse(schema) as JsonObject, root);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, check);
  parentPort?.postMessage(check(JSON.parse(value), pointer));
});
parentPort?.postMessage('ready');
