import Type from 'typebox';
import { LIMITS } from '../../../shared/limits.ts';
import { DatasetSchema } from '../../../shared/schemas/index.ts';
import { defineUpload, type Operation } from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Datasets } from './datasets.ts';

export { createDatasets, type Datasets } from './datasets.ts';
export { PREDICTION_LIMIT } from './limit.ts';
export { createPieces } from './pieces.ts';
export { predictionMigrations } from './sql.ts';
export { createStanding } from './standing.ts';

export function predictionOperations(datasets: Datasets, playbooks: Playbooks): Operation[] {
  const tag = 'Predictions';
  return [
    defineUpload({
      name: 'upload_dataset',
      tag,
      title: 'Upload a dataset',
      description:
        'Stores the series of prediction functions, by the SHA-256 of the file. The header names the columns: `series`, `period`, a column of values, and other columns in any order. Each row is one period of one series. The labels of one form give the period: 2024, 2024-Q1, 2024-01, 2024-W05, 2024-01-31 or 2024-01-31T07 (UTC). An empty field is a missing value; rows after the last value may hold values that are known for the future. A file that is not valid is `invalid_input` with the line, and nothing is kept. Uploading the same file again changes nothing. Functions use the newest dataset that has their columns.',
      permissions: ['playbook:write'],
      method: 'PUT',
      route: '/playbooks/{playbook}/datasets/{sha256}',
      path: Type.Object({
        playbook: Type.String({ description: "The playbook's id." }),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, in lower-case hex.' }),
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
  ];
}
