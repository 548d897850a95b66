// Workers for checks that may take long, so that none of them holds the main thread.
import type { Issue } from '../../../shared/issues.ts';
import { REQUEST_WAIT_MS } from '../own-work.ts';
import { Refused, unavailable } from '../rejection.ts';
import { WorkerPool } from '../worker-pool/index.ts';
import type { SchemaCheck } from './check-document.ts';

/** Values to be checked against a schema that was found good. */
export interface ValuesRequest {
  kind: 'values';
  /** The schema as JSON. */
  schema: string;
  root: string;
  /** A list of values as JSON. */
  values: string;
  pointer: string;
}

/** A schema to be looked at. */
export interface DocumentRequest {
  kind: 'document';
  /** The schema as JSON. */
  schema: string;
  pointer: string;
}

export type CheckRequest = ValuesRequest | DocumentRequest;

export type CheckAnswer = { issues: Issue[][] } | { document: SchemaCheck };

export interface CheckWorkers {
  /**
   * The issues of each value.
   * @throws Refused `conflict` `unworkable` past the deadline; `unavailable` when no worker is free for ten seconds
   */
  checkValues(request: Omit<ValuesRequest, 'kind'>): Promise<Issue[][]>;
  /** @throws as above */
  checkDocument(request: Omit<DocumentRequest, 'kind'>): Promise<SchemaCheck>;
  close(): Promise<void>;
}

const WORKERS = 2;
/** For reading and compiling a schema: saving one takes no longer. The worker gives its check another second. */
const COMPILE_DEADLINE_MS = 2000;

export function createCheckWorkers(): CheckWorkers {
  const pool = new WorkerPool<CheckRequest, CheckAnswer>({
    name: 'schema checker',
    script: new URL('./check-worker.ts', import.meta.url),
    size: WORKERS,
    deadlineMs: () => COMPILE_DEADLINE_MS,
    limits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  });

  async function ask(request: CheckRequest): Promise<CheckAnswer> {
    const outcome = await pool.run(request, { waitMs: REQUEST_WAIT_MS });
    if (outcome === 'busy') {
      throw unavailable('Other large values are being checked; try again in a moment.', { retryAfter: 1 });
    }
    if (typeof outcome === 'string') throw tooMuchWork();
    return outcome;
  }

  return {
    async checkValues(request) {
      const answer = await ask({ kind: 'values', ...request });
      return 'issues' in answer ? answer.issues : [];
    },
    async checkDocument(request) {
      const answer = await ask({ kind: 'document', ...request });
      return 'document' in answer ? answer.document : { issues: [], warnings: [] };
    },
    close: () => pool.close(),
  };
}

function tooMuchWork(): Refused {
  return new Refused({
    reason: 'conflict',
    kind: 'unworkable',
    detail:
      'Checking the value against its schema takes more than a second; send a smaller value, or simplify the schema.',
  });
}
