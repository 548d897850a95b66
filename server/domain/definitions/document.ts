import type { SourceIssue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { CheckedDocument, DocumentEvents, Example, ReadFilter, Reference, Trigger } from '../../kinds/checked.ts';

/** The contents of a version's document as recorded by the event that saves it: everything but the source. */
export interface SavedDocument {
  media_type: string;
  description?: string;
  input_schema?: JsonObject;
  output_schema?: JsonObject;
  /** What some runs return instead of the output; absent in versions of older releases. */
  other_output_schema?: JsonObject;
  details: { shape?: string; expose?: true; examples?: Example[] };
  /** The shape of a recall function's output: the contract's `details.shape` does not apply to them. */
  output_shape?: string;
  reads?: ReadFilter[];
  overview: string;
  references: Reference[];
  triggers?: Trigger[];
  /** The types of events that runs emit and receive; absent in versions of older releases. */
  events?: DocumentEvents;
  warnings: SourceIssue[];
}

export function savedDocument(mediaType: string, document: CheckedDocument): SavedDocument {
  const { description, inputSchema, outputSchema, otherOutputSchema, shape, expose, examples, reads } = document;
  const named = shape === undefined ? {} : { shape };
  return {
    media_type: mediaType,
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { input_schema: inputSchema }),
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
    ...(otherOutputSchema === undefined ? {} : { other_output_schema: otherOutputSchema }),
    details: {
      ...(reads === undefined ? named : {}),
      ...(expose ? { expose } : {}),
      ...(examples.length === 0 ? {} : { examples: [...examples] }),
    },
    ...(reads === undefined ? {} : { reads: [...reads] }),
    ...(reads === undefined || shape === undefined ? {} : { output_shape: shape }),
    overview: document.overview,
    references: [...document.references],
    ...(document.triggers === undefined ? {} : { triggers: [...document.triggers] }),
    ...(document.events === undefined ? {} : { events: document.events }),
    warnings: [...document.warnings],
  };
}

/** The document as plain JSON, for the data of an event. */
export function toJson(document: SavedDocument): Record<string, Json> {
  return JSON.parse(JSON.stringify(document)) as Record<string, Json>;
}
