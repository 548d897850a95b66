import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { JsonObject } from '../../../shared/json.ts';

/** The key of a playbook in the store. Every stream, table, index and content is keyed by it first. */
export interface PlaybookKey {
  org: string;
  playbook: string;
}

/** Refers to a text in the content store. */
export interface ContentReference {
  sha256: string;
  /** UTF-8 bytes of the text. */
  bytes: number;
}

export interface DefinitionVersion {
  type: DefinitionType;
  name: string;
  version?: number;
}

/** What made an event and what it is about; the members are those of the contract's event record. */
export interface EventMetadata {
  /** The run at the top of the chain, or null. */
  correlation_id: string | null;
  /** The event that directly caused this one, or null. */
  causation_id: string | null;
  /** When it was recorded, ISO 8601 UTC. */
  at: string;
  /** A caller's id, `playbook:` and the playbook's id, or `runtime`. */
  by: string;
  run_id?: string;
  definition?: DefinitionVersion;
  called_by?: { run_id: string; reference: string; run: string };
  call_depth?: number;
  depth?: number;
  trigger?: { kind: 'event' | 'cron' | 'every' | 'after'; reference: string };
  /** One pair per append: the caller's trace, if any, and a new span (W3C Trace Context). */
  trace_id: string;
  span_id: string;
}

/** An event to be recorded. Large members are in `kept`, under their names. */
export interface NewEvent {
  /** Its id, unique in the playbook; made by the log where it is absent. */
  id?: string;
  type: string;
  /** What makes it the only one of its playbook: a second event with the same key is a UniqueViolation. */
  key?: string;
  data: JsonObject;
  kept?: Readonly<Record<string, ContentReference>>;
  /** When it happened, in milliseconds since 1970; absent: when it is recorded. */
  at?: number;
  metadata: Omit<EventMetadata, 'at' | 'correlation_id' | 'causation_id' | 'trace_id' | 'span_id'> &
    Partial<Pick<EventMetadata, 'correlation_id' | 'causation_id'>>;
}

/** A recorded fact. */
export interface StoredEvent extends PlaybookKey {
  id: string;
  stream: string;
  /** Place in its stream, from 1 without gaps. */
  position: number;
  /** Place in the playbook's order of reading, from 1 without gaps; null for what no list of events shows. */
  readPosition: number | null;
  type: string;
  data: JsonObject;
  kept: Readonly<Record<string, ContentReference>>;
  metadata: EventMetadata;
}

/** A recorded fact as it is read. */
export interface NumberedEvent extends StoredEvent {
  /** Store-wide, rising, with gaps; only shown. The store gives it when it records the event. */
  globalPosition: number;
}
