// The description of a form of `call` that is recognized by its keyword, such as `call: http`. `given` is its `with`,
// and `at` the pointer of that.
import type { JsonObject } from '../../../../../shared/json.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { OpenMember, PlacedDuration, PlacedPolicy, SecretHolder } from '../placed.ts';
import type { Schema } from '../schema/build.ts';
import type { DocumentContext } from '../check-context.ts';

export interface CallForm {
  /** The JSON Schema of `with`, which has to be there. */
  with: Schema;
  words(given: JsonObject): string;
  /** The tool, SERVER/TOOL, that it calls, where that is not left to an expression. */
  tool?(given: JsonObject): string | undefined;
  /** Warns about what it reaches for and the playbook cannot reach now. */
  checkReach(given: JsonObject, at: string, context: DocumentContext, findings: Findings): void;
  durations?(given: JsonObject, at: string): PlacedDuration[];
  openMembers?(given: JsonObject, at: string): readonly OpenMember[];
  policies?(given: JsonObject, at: string): PlacedPolicy[];
  secretHolders?(given: JsonObject, at: string): SecretHolder[];
}
