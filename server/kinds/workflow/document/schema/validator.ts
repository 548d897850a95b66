// The compiled schema of the DSL. Compiling it takes some 400 ms of processor time and 60 MiB; loading what an earlier
// process compiled takes some 10 ms and 20 MiB.
//
// 1. The code, with V8's data about it, is kept beside Node's compile cache: it is as trustworthy as that, and belongs to
//    one version of Node. Without a compile cache, nothing is kept.
// 2. A file that is missing, incomplete or of another version is written again.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';
import { _, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import ajvPackage from 'ajv/package.json' with { type: 'json' };
import { FORMATS } from './formats.ts';
import { WORKFLOW_SCHEMA } from './workflow.ts';

type MakeValidator = (formats: typeof FORMATS, require: (module: string) => unknown) => ValidateFunction;

interface Compiled {
  code: string;
  data: Buffer;
}

/** What the code requires: a bundle of the server has no modules of ajv's. */
const MODULES: Readonly<Record<string, unknown>> = {
  'ajv/dist/runtime/ucs2length': { default: (text: string) => Array.from(text).length },
};

/** @param folder where compiled code is kept; undefined: nowhere */
export function createValidator(folder: string | undefined = cacheFolder()): ValidateFunction {
  if (folder === undefined) return load(compile()).validate;
  const key = createHash('sha256').update(`${ajvPackage.version} ${JSON.stringify(WORKFLOW_SCHEMA)}`);
  const file = path.join(folder, `workflow-schema-${key.digest('hex').slice(0, 16)}`);
  return readKept(file) ?? compileAndKeep(file);
}

/** Calls every function of the code. */
const ONE_STEP = { do: [{ step: {} }] };

function cacheFolder(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : path.join(folder, 'schemas');
}

function readKept(file: string): ValidateFunction | undefined {
  try {
    const { code, data } = deserialize(readFileSync(file)) as Compiled;
    const { script, validate } = load(code, data);
    return script.cachedDataRejected === true ? undefined : validate;
  } catch {
    return undefined;
  }
}

function compileAndKeep(file: string): ValidateFunction {
  const code = compile();
  const { script, validate } = load(code);
  // V8 compiles a function when it is first called, and keeps what is compiled. That of a task is two thirds of the code.
  validate(ONE_STEP);
  validate.errors = null;
  const compiled: Compiled = { code, data: script.createCachedData() };
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, serialize(compiled));
    renameSync(unfinished, file);
  } catch {
    // A folder that cannot be written to keeps nothing.
  }
  return validate;
}

function compile(): string {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    ownProperties: true,
    meta: false,
    validateSchema: false,
    // Optimizing the code doubles the time, and saves 0.02 ms per check.
    code: { optimize: false, source: true, formats: _`formats` },
  });
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  const code = standaloneCode.default(ajv, ajv.compile(WORKFLOW_SCHEMA));
  return `((formats, require) => { const module = {};\n${code}\nreturn module.exports; })`;
}

function load(code: string, cachedData?: Buffer): { script: Script; validate: ValidateFunction } {
  const script = new Script(code, { filename: 'workflow-schema.js', ...(cachedData && { cachedData }) });
  const makeValidator = script.runInThisContext() as MakeValidator;
  return { script, validate: makeValidator(FORMATS, (module) => MODULES[module]) };
}
