// The fields of the front matter, each checked with a sentence that says what to write instead.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { type Findings, MERGE_KEY } from '../../lib/yaml/index.ts';
import { MOST_DESCRIPTION } from '../document/index.ts';

const FIELDS = [
  'description',
  'model',
  'instructions',
  'input',
  'output',
  'tools',
  'config',
  'provider_options',
  'examples',
  'expose',
];

const MOST_TOOLS = 64;

export function checkFields(document: JsonObject, findings: Findings): void {
  refuseUnknown(document, FIELDS, '', findings);
  const has = (name: string): boolean => Object.hasOwn(document, name);
  const { description, instructions, expose } = document;
  if (has('description') && (typeof description !== 'string' || description.length > MOST_DESCRIPTION)) {
    findings.error('/description', `\`description\` must be a string of at most ${MOST_DESCRIPTION} characters.`);
  }
  if (has('instructions') && typeof instructions !== 'string') {
    findings.error('/instructions', '`instructions` must be a string; start it with `|` to write several lines.');
  }
  if (has('expose') && typeof expose !== 'boolean') findings.error('/expose', '`expose` must be true or false.');
  checkModel(document, findings);
  if (has('tools')) checkTools(document['tools'] ?? null, findings);
  if (has('config')) checkConfig(document['config'] ?? null, findings);
  if (has('provider_options')) checkProviderOptions(document['provider_options'] ?? null, findings);
}

function refuseUnknown(object: JsonObject, known: readonly string[], pointer: string, findings: Findings): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const detail = (): string => {
      if (name === '<<') return MERGE_KEY;
      const near = nearestName(name, known);
      const hint = near === undefined ? `the fields here are ${known.join(', ')}.` : `did you mean \`${near}\`?`;
      return `Unknown field \`${name.slice(0, 60)}\`; ${hint}`;
    };
    findings.error(`${pointer}/${escapeToken(name)}`, detail, 'key');
  }
}

const MODEL_FORM = 'write provider/model, for example openai/gpt-5-mini; list_models shows the available models.';

function checkModel(document: JsonObject, findings: Findings): void {
  const { model } = document;
  if (model === undefined) return findings.error('', `A reasoning function needs \`model\`: ${MODEL_FORM}`);
  if (typeof model === 'string' && model.length <= 512 && /^[^\s/*]+\/[^\s*]+$/.test(model)) return;
  findings.error('/model', `\`model\` must be the reference of a model: ${MODEL_FORM}`);
}

const TOOL_FORM = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?\/(?:\*|[^\s/*][^\s*]{0,127})$/;

function checkTools(tools: Json, findings: Findings): void {
  if (!Array.isArray(tools) || tools.length > MOST_TOOLS) {
    return findings.error(
      '/tools',
      `\`tools\` must be a list of at most ${MOST_TOOLS} tools, each server/tool or server/*.`,
    );
  }
  tools.forEach((tool, index) => {
    if (typeof tool !== 'string' || !TOOL_FORM.test(tool)) {
      findings.error(
        `/tools/${index}`,
        'Write a tool as server/tool, or server/* for every tool that the operator allows.',
      );
    } else if (tools.indexOf(tool) !== index) {
      findings.error(`/tools/${index}`, `\`${tool}\` is in the list twice; remove one of them.`);
    }
  });
}

const EFFORTS = ['minimal', 'low', 'medium', 'high'];
/** A token is some bytes: what is more would not fit into a run's output. */
const MOST_OUTPUT_TOKENS = 262_144;

const CONFIG: Readonly<Record<string, { fits: (value: Json) => boolean; takes: string }>> = {
  temperature: { fits: (value) => isBetween(value, 0, 2), takes: 'a number from 0 to 2' },
  top_p: { fits: (value) => isBetween(value, 0, 1), takes: 'a number from 0 to 1' },
  max_output_tokens: {
    fits: (value) => isWholeBetween(value, 1, MOST_OUTPUT_TOKENS),
    takes: `a whole number from 1 to ${MOST_OUTPUT_TOKENS}`,
  },
  seed: { fits: (value) => Number.isSafeInteger(value), takes: 'a whole number' },
  stop: {
    fits: (value) =>
      Array.isArray(value) && value.length <= 4 && value.every((text) => typeof text === 'string' && text !== ''),
    takes: 'a list of at most 4 strings',
  },
  reasoning_effort: { fits: (value) => EFFORTS.includes(String(value)), takes: `one of ${EFFORTS.join(', ')}` },
  max_steps: { fits: (value) => isWholeBetween(value, 1, 32), takes: 'a whole number from 1 to 32' },
};

function checkConfig(config: Json, findings: Findings): void {
  if (!isJsonObject(config)) {
    return findings.error('/config', '`config` must be an object such as { max_output_tokens: 1024 }.');
  }
  refuseUnknown(config, Object.keys(CONFIG), '/config', findings);
  for (const [name, value] of Object.entries(config)) {
    const rule = Object.hasOwn(CONFIG, name) ? CONFIG[name] : undefined;
    if (rule !== undefined && !rule.fits(value)) {
      findings.error(`/config/${name}`, `\`${name}\` must be ${rule.takes}.`);
    }
  }
}

function isBetween(value: Json, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function isWholeBetween(value: Json, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isBetween(value, least, most);
}

function checkProviderOptions(options: Json, findings: Findings): void {
  if (!isJsonObject(options)) {
    return findings.error('/provider_options', '`provider_options` must be an object whose keys are provider names.');
  }
  for (const [name, value] of Object.entries(options)) {
    if (isJsonObject(value)) continue;
    findings.error(
      `/provider_options/${escapeToken(name)}`,
      `The options of \`${name.slice(0, 60)}\` must be an object.`,
    );
  }
}
