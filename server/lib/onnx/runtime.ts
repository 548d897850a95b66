// Whether models can run on this machine: onnxruntime-node is optional.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { howToInstall } from '../optional-packages.ts';

export type Availability = { isAvailable: true } | { isAvailable: false; reason: string };

/** The module of the runtime, or why there is none, as a sentence. */
export type RuntimeLocation = { module: string } | { reason: string };

export function locateRuntime(): RuntimeLocation {
  let module: string;
  try {
    module = createRequire(import.meta.url).resolve('onnxruntime-node');
  } catch {
    return {
      reason: `Models cannot run: the optional package onnxruntime-node is not installed. ${howToInstall(['onnxruntime-node'])}`,
    };
  }
  // One folder for each version of Node-API.
  const builds = path.join(path.dirname(module), '..', 'bin');
  const binary = path.join(process.platform, process.arch, 'onnxruntime_binding.node');
  if (readdirSync(builds).some((version) => existsSync(path.join(builds, version, binary)))) return { module };
  return { reason: `Models cannot run: onnxruntime-node has no build for ${process.platform} on ${process.arch}.` };
}
