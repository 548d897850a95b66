import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiled once a process; workers share it. */
export function compileWasm(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm')));
  return compiled;
}
