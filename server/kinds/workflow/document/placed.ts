// Parts of a document with their pointers in it, as descriptors hand them to the rules.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Duration } from '../../../lib/duration.ts';

export interface PlacedDuration {
  duration: Duration;
  pointer: string;
}

/** How a call authenticates. */
export interface PlacedPolicy {
  policy: JsonObject;
  pointer: string;
}

/** A policy that is written out; a name is none. */
export function placedPolicies(policy: Json | undefined, pointer: string): PlacedPolicy[] {
  return isJsonObject(policy) ? [{ policy, pointer }] : [];
}

/** An object that takes any member, of which only some are read. */
export interface OpenMember {
  value: object | Json | undefined;
  /** The members that are read; `attributes`: those that an event may have. */
  known: readonly string[] | 'attributes';
  pointer: string;
}

/** Named values, as they are sent to a server. */
export interface SecretHolder {
  /** Anything but an object names nothing. */
  values: Json | undefined;
  pointer: string;
}
