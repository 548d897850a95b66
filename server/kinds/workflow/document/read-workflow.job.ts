import { createFindings, placesIn, readSource, type SourceJob, type SourceReading } from '../../../lib/yaml/index.ts';
import { shapeIssues } from './schema/check-shape.ts';

/** Reads a workflow and checks its shape. Compiling the schema of the language takes some 400 ms, once. */
export function readWorkflow(source: SourceJob): SourceReading {
  const reading = readSource(source);
  if (!reading.ok) return reading;
  const findings = createFindings(placesIn(reading.places));
  for (const { pointer, detail, at } of shapeIssues(reading.value)) findings.refuse(pointer, detail, at);
  return findings.issues.length === 0 ? reading : { ok: false, issues: [...findings.issues] };
}
