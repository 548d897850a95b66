// Parses one YAML text, answers, and is ended.
import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

parentPort?.postMessage(parseYaml(workerData as string));
