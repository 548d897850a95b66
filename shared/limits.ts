// The limits of the contract, section "Limits" of the runtime API. Bytes are of UTF-8. Characters are UTF-16 code units
// where no character outside the basic plane can occur, otherwise Unicode code points.
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
  connections: 50,
  openRequests: 10_000,
  recallOutputBytes: 1_046_528,
  recallStateBytes: MIB,
  recallFunctions: 32,
  predictionFunctions: 32,
  datasetBytes: 64 * MIB,
  candidateBytes: 64 * MIB,
  candidates: 8,
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
  pageDefaultOfAgents: 20,
  pageMost: 100,
  analyticsDaysDefault: 30,
  analyticsDaysMost: 90,
} as const;

/** The maximum size of a zip archive of a playbook, and of its definitions together; not in the contract. */
export const ARCHIVE_BYTES = 8 * MIB;

/** The bounds of what test_definition returns, which is not in the contract: small enough that a tool returns it whole. */
export const TESTED_BOUNDS = {
  bytes: 20 * KIB,
  /** Further examples are not run. */
  examples: 100,
  /** The locations that differ, for each example. */
  differences: 10,
  nameCharacters: 80,
  detailCharacters: 1000,
  valueCharacters: 200,
} as const;

/** The bounds of what run_draft takes and returns, which is not in the contract. */
export const DRAFT_BOUNDS = {
  /** The most steps that are listed. */
  steps: 1000,
  /** The most calls of a draft run, at all depths. */
  calls: 1000,
  /** How deep workflows may call workflows. */
  depth: 16,
  /** Of all outputs of steps together, and of all outputs of calls; larger ones show their size. */
  shownBytes: 256 * KIB,
  /** Of the results that the next request repeats, so that they fit its body. */
  resultBytes: 512 * KIB,
  /** Of the questions that are asked at once. */
  questionBytes: 512 * KIB,
  /** Of the events that are returned. */
  publishedBytes: 512 * KIB,
  /** Of a sentence about a call, and of each text of a step's error. */
  detailCharacters: 1000,
  /** The most draft runs of an org at the same time: each holds its state and its answer in memory. */
  atOnce: 16,
  /** The newest events of the playbook that the view of an unsaved recall function reads. */
  viewEvents: 2500,
} as const;
