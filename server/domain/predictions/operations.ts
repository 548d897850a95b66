import Type from 'typebox';
import { count, integer, object, oneOf, text, timestamp } from '../../../shared/schemas/fields.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { DatasetSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, defineText, defineUpload, type Operation } from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Candidates } from './candidates.ts';
import type { Datasets } from './datasets.ts';
import type { Training } from './training.ts';
import type { Versions } from './versions.ts';

const PLAYBOOK = text("The playbook's id.");
const BUILD_PATH = Type.Object({
  playbook: PLAYBOOK,
  run_id: text('The run id of the build.'),
});
const DIGEST = '^[0-9a-f]{64}$';
const READ = { readOnly: true, destructive: false, idempotent: true };
const tag = 'Predictions';

export interface OperationsOptions {
  playbooks: Playbooks;
  datasets: Datasets;
  candidates: Candidates;
  training: Training;
  versions: Versions;
}

export function predictionOperations(options: OperationsOptions): Operation[] {
  const { playbooks, datasets, versions } = options;
  return [
    defineUpload({
      name: 'upload_dataset',
      tag,
      title: 'Upload a dataset',
      description:
        'Stores the series of prediction functions, by the SHA-256 of the file. The header names the columns: `series`, `period`, a column of values, and other columns in any order. Each row is one period of one series. The labels of one form give the period: 2024, 2024-Q1, 2024-01, 2024-W05, 2024-01-31 or 2024-01-31T07 (UTC); dates that are all the first or last (working) day of a month, quarter or year, or the same day of each, or all the same day of the week, stand for those periods. Commas, semicolons, tabs or bars separate the columns; all but commas allow decimal commas. An empty field is a missing value; rows after the last value may hold values that are known for the future. A file that is not valid is `invalid_input` with the line, and nothing is kept. Uploading the same file again changes nothing. Functions use the newest dataset that has their columns, and versions in a shadow evaluation predict from it or are graded with it.',
      permissions: ['playbook:write'],
      method: 'PUT',
      route: '/playbooks/{playbook}/datasets/{sha256}',
      path: Type.Object({
        playbook: PLAYBOOK,
        sha256: text('SHA-256 of the file, in lower-case hex.', { pattern: DIGEST }),
      }),
      upload: {
        mediaType: 'text/csv',
        bytes: LIMITS.datasetBytes,
        description: 'A CSV file (RFC 4180) in UTF-8 with a header.',
      },
      output: DatasetSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ org, caller }, { playbook, sha256 }, body) =>
        datasets.upload({ org, playbook }, sha256, body, caller.id),
    }),
    ...buildOperations(options),
    defineOperation({
      name: 'activate_version',
      tag,
      title: 'Activate a model version',
      description:
        'Makes a model version the active one, which answers questions, whatever the gate said and without waiting for a shadow evaluation or an approval. Older versions can be activated again. A version that the function did not build is `not_found`; the active one is `conflict` kind `already_active`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/prediction/{name}/activate',
      path: Type.Object({ playbook: PLAYBOOK, name: text('The name of the function.') }),
      fields: object({ version: integer('The model version.', { minimum: 1 }) }),
      output: object({
        function: text('The name of the function.'),
        version: integer('The version that is active now.', { minimum: 1 }),
        rule: oneOf('What activated it.', ['gate', 'approval', 'shadow', 'caller']),
        activated_at: timestamp('When it was activated.'),
      }),
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      mcp: false,
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ org, caller }, { playbook, name, version }) =>
        versions.activate({ org, playbook, name }, version, caller.id),
    }),
  ];
}

/** What trainers use. */
function buildOperations({ playbooks, candidates, training }: OperationsOptions): Operation[] {
  return [
    defineText({
      name: 'read_build_brief',
      tag,
      title: 'Read the brief of a build',
      description:
        'The task of a trainer, in Markdown: the data, the inputs and the output of a model with their sizes, every formula, the layout of the training rows, the scores to beat, the limits, how to upload and to answer, and a complete trainer. Only while the build waits for its trainer: otherwise `conflict` kind `build_ended`, or `not_a_build` for another run.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs/{run_id}/build/brief',
      path: BUILD_PATH,
      mediaType: 'text/markdown',
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: READ,
      handle: ({ org, signal }, { playbook, run_id }) =>
        training.brief({ org, playbook }, run_id.toLowerCase(), signal),
    }),
    defineText({
      name: 'read_build_rows',
      tag,
      title: 'Read the training rows of a build',
      description:
        'The windows that a model may be trained on, as CSV; the brief explains the columns. Streamed. Only while the build waits for its trainer: otherwise `conflict` kind `build_ended`, or `not_a_build` for another run.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/runs/{run_id}/build/rows',
      path: BUILD_PATH,
      mediaType: 'text/csv',
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: READ,
      handle: ({ org, signal }, { playbook, run_id }) => training.rows({ org, playbook }, run_id.toLowerCase(), signal),
    }),
    defineUpload({
      name: 'upload_candidate',
      tag,
      title: 'Upload a candidate model',
      description: `Adds an ONNX model to a build, which has at most ${LIMITS.candidates}. It is loaded and run before it is kept; one that cannot be loaded, whose inputs or output are not those of the brief, or whose opset is below 13 is \`invalid_input\`. When every process that tries models is busy, \`unavailable\` kind \`model_process_busy\` with \`Retry-After\`. The same model again is not counted. Answer the build with the digest that is returned. Only while the build waits for its trainer: otherwise \`conflict\` kind \`build_ended\`, or \`not_a_build\` for another run.`,
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/runs/{run_id}/build/candidates',
      path: BUILD_PATH,
      upload: {
        mediaType: 'application/octet-stream',
        bytes: LIMITS.candidateBytes,
        description: 'A model in ONNX format.',
      },
      output: object({
        candidate: text('SHA-256 of the model.', { pattern: DIGEST }),
        bytes: count('Size of the model in bytes.'),
        opset: integer('The version of the ONNX operator set.'),
      }),
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ org, caller }, { playbook, run_id }, body) =>
        candidates.upload({ org, playbook }, run_id.toLowerCase(), body, caller.id),
    }),
  ];
}
