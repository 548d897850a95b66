import type { HostileCase } from '../hostile-case.ts';
import { CALL_CASES } from './calls.ts';
import { CONNECTION_CASES } from './connections.ts';
import { DOCUMENT_CASES } from './documents/index.ts';
import { PLAYBOOK_CASES } from './playbooks.ts';
import { REQUEST_CASES } from './requests.ts';
import { RUN_CASES } from './runs.ts';

export const HOSTILE_CASES: readonly HostileCase[] = [
  ...DOCUMENT_CASES,
  ...RUN_CASES,
  ...CALL_CASES,
  ...REQUEST_CASES,
  ...PLAYBOOK_CASES,
  ...CONNECTION_CASES,
];
