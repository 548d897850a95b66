// The DSL's JSON Schema as this service takes it. Derived from `schema/workflow.yaml` of the Open Workflow
// Specification (formerly Serverless Workflow), https://github.com/open-workflow-specification/specification, licensed
// under the Apache License 2.0; rewritten so that each form is recognized by its own keyword. A test beside it lists every
// point in which documents are accepted by one of the two and refused by the other.
import { AUTHENTICATION } from './authentication.ts';
import { listOf, mapOf, object, oneOfTexts, refused, type Schema, text, textLike } from './build.ts';
import { ERROR, RETRY_POLICY } from './errors.ts';
import { STRATEGY } from './events.ts';
import { EXTENDED, TASK_DEFINITIONS } from './tasks.ts';
import {
  DURATION,
  INPUT,
  OPEN_OBJECT,
  OUTPUT_MEMBERS,
  READ,
  STRATEGY_REFERENCE,
  TASK,
  TASK_LIST,
  TIMEOUT,
  TIMEOUT_OR_NAME,
} from './values.ts';

const NAME = textLike('dns-label', 'must be a name of at most 63 letters, digits and hyphens');

const DOCUMENT = object(
  {
    dsl: textLike('dsl-version', "must be a supported version of the language: '1.0.3' or another 1.0.x, in quotes"),
    namespace: NAME,
    name: NAME,
    version: textLike('semantic-version', "must be a semantic version such as '0.1.0', in quotes"),
    title: text(),
    summary: text(),
    tags: OPEN_OBJECT,
    metadata: OPEN_OBJECT,
  },
  { required: ['dsl', 'namespace', 'name', 'version'], message: 'must be { dsl, namespace, name, version }' },
);

const EXTENSION = object(
  {
    extend: oneOfTexts(EXTENDED),
    when: text('must be a jq expression'),
    before: TASK_LIST,
    after: TASK_LIST,
  },
  { required: ['extend'], message: 'must be an extension: { extend, before, after }' },
);

const USE = object({
  authentications: mapOf(AUTHENTICATION, 'must be an object of policies by name'),
  errors: mapOf(ERROR, 'must be an object of errors by name'),
  extensions: listOf({
    type: 'object',
    says: 'must contain one extension: its name, with its members indented below it',
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: EXTENSION,
  }),
  functions: mapOf(TASK, 'must be an object of tasks by name'),
  retries: mapOf(RETRY_POLICY, 'must be an object of retry policies by name'),
  secrets: listOf(text(), 'must be a list of names'),
  timeouts: mapOf(TIMEOUT, 'must be an object of timeouts by name'),
  catalogs: refused(
    'is not supported: nothing is fetched during a run; copy the function into `use.functions`, or make it a definition and `call: TYPE/NAME`',
  ),
});

const SCHEDULE: Schema = {
  ...object(
    {
      every: DURATION,
      cron: text('must be a cron expression of five fields, for example 0 8 * * 1-5'),
      after: DURATION,
      on: STRATEGY_REFERENCE,
      read: READ,
      timezone: text('must be an IANA time zone such as Europe/Berlin'),
    },
    { minProperties: 1, message: 'must have one of `on`, `cron`, `every` and `after`' },
  ),
  dependentRequired: { read: ['on'], timezone: ['cron'] },
};

export const WORKFLOW_SCHEMA: Schema = {
  ...object(
    {
      document: DOCUMENT,
      input: INPUT,
      use: USE,
      do: TASK_LIST,
      timeout: TIMEOUT_OR_NAME,
      output: object({ ...OUTPUT_MEMBERS, shape: text('must be the name of an output shape') }),
      schedule: SCHEDULE,
      evaluate: object({ language: text(), mode: oneOfTexts(['strict', 'loose']) }),
    },
    { required: ['document', 'do'] },
  ),
  $defs: { ...TASK_DEFINITIONS, strategy: STRATEGY },
};
