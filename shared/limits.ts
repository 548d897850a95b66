// The contract's limits, part "Limits" of the runtime API. Bytes are of UTF-8; characters are UTF-16 code units
// only where no character outside the basic plane can occur, else Unicode code points.
import { KIB, MIB } from './product.ts';

export const LIMITS = {
  bodyBytes: MIB,
  sourceBytes: 64 * KIB,
  inputBytes: 256 * KIB,
  inputDepth: 512,
  outputAndRecordBytes: MIB,
  computationOutputBytes: 1_048_320,
  workflowOutputBytes: 1_048_574,
  answerBytes: 64 * KIB,
  answerSchemaBytes: 64 * KIB,
  claimedForBytes: 256,
  openRequests: 10_000,
  cancelReasonCharacters: 1024,
  runEventBytes: 256 * KIB,
  eventBytes: 240 * KIB,
  eventDataDepth: 510,
  eventExtensions: 32,
  eventTypeCharacters: 256,
  eventIdCharacters: 256,
  eventSourceCharacters: 1024,
  eventSubjectCharacters: 1024,
  shownValueBytes: 2 * KIB,
  shownDataBytes: 4 * KIB,
  playbookNameCharacters: 100,
  playbookDescriptionCharacters: 2000,
  pageDefault: 50,
  pageMost: 100,
  analyticsDaysDefault: 30,
  analyticsDaysMost: 90,
} as const;
