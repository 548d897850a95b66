// Checks an exported playbook before its names become file names: the service may not be trustworthy.
import { isDefinitionType } from '../../../shared/definition-types.ts';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { ExportedPlaybook } from '../../domain/folders/index.ts';
import { type CommandFailure, failed } from './failure.ts';
import { isName } from '../../../shared/names.ts';

/** @throws CommandFailure if the response is not the requested playbook, complete and with valid names */
export function readExported(answer: unknown, asked: string, address: string): ExportedPlaybook {
  const { playbook, name, description, definitions } = isJsonObject(answer) ? answer : {};
  const isWhole = typeof name === 'string' && typeof description === 'string' && Array.isArray(definitions);
  if (playbook !== asked || !isName(asked) || !isWhole) throw noPlaybook(asked, address);
  return { playbook, name, description, definitions: definitions.map((one) => readDefinition(one, asked, address)) };
}

function readDefinition(one: Json, asked: string, address: string): ExportedPlaybook['definitions'][number] {
  if (!isJsonObject(one)) throw noPlaybook(asked, address);
  const { type, name, sha256, source } = one;
  const isText = typeof type === 'string' && typeof name === 'string' && typeof source === 'string';
  if (!isText || !isDefinitionType(type) || !isName(name)) throw noPlaybook(asked, address);
  return { type, name, source, sha256: String(sha256) };
}

function noPlaybook(asked: string, address: string): CommandFailure {
  return failed(`The service at ${address} did not return the playbook ${asked}; nothing was written.`);
}
