// Where servers of local models are looked for.
import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../environment.ts';
import { kindWords, shown, writtenSetting, wrong } from './written.ts';

/** The usual addresses of Ollama and LM Studio. */
const USUAL = ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:1234/v1'];
const FORM = 'a list of addresses such as ["http://127.0.0.1:8080/v1"]';
const MOST = 16;

/** @throws SettingsError */
export function readLocalServers(file: WrittenConfig, environment: Environment): readonly string[] {
  const written = writtenSetting('local_model_servers', file, environment);
  if (written === undefined || (written.value === null && !written.isVariable)) return USUAL;
  const list = written.value;
  if (!Array.isArray(list)) throw wrong(written.name, kindWords(list), FORM);
  if (list.length > MOST) throw wrong(written.name, `has ${list.length} addresses`, `a list of at most ${MOST}`);
  return list.map((address, index) => {
    const at = written.at(`[${index}]`);
    if (typeof address !== 'string') throw wrong(at, kindWords(address), 'an address');
    const url = URL.parse(address);
    const isPlain =
      url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.search === '';
    if (!isPlain) throw wrong(at, `is ${shown(address)}`, 'an http address without a user and a query');
    return url.href.replace(/\/$/, '');
  });
}
