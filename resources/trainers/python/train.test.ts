import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { createModelRunner } from '../../../server/lib/onnx/index.ts';
import { ASKING, BUILD, KEY, SIGNATURE, startBuildServer } from '../build-server.testing.ts';

const PROGRAM = path.join(import.meta.dirname, 'train.py');

/** Debian's packages are those of its own Python. */
function pythonWith(code: string): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', code]).status === 0);
}

const parsing = pythonWith('pass');
const training = pythonWith('import importlib.util as u; assert all(map(u.find_spec, ["numpy", "onnx", "sklearn"]))');
if (training === undefined) console.log('The Python trainer is not run: numpy, scikit-learn or onnx is missing.');

test.skipIf(parsing === undefined)('given Python, then the trainer is valid Python', () => {
  const code = 'import ast, sys; ast.parse(open(sys.argv[1]).read())';
  expect(spawnSync(parsing ?? '', ['-c', code, PROGRAM]).stderr.toString()).toBe('');
});

test.skipIf(training === undefined)(
  'given its packages, then its candidates are accepted',
  async () => {
    const server = await startBuildServer([BUILD, ASKING]);
    onTestFinished(() => server.close());
    const env = { ...process.env, CUEBOOK_KEY: KEY, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    await promisify(execFile)(training ?? '', [PROGRAM, server.playbook, 'forecasters'], { env });
    const uploaded = server.uploads.map(({ candidate }) => candidate);
    expect(server.answers).toEqual({
      [`/runs/${BUILD}/answer`]: { answer: { candidates: uploaded.slice(0, 2) } },
      [`/runs/${ASKING}/answer`]: { answer: { candidates: uploaded.slice(2, 4) } },
    });
    const runner = createModelRunner({ clock: systemClock });
    onTestFinished(() => runner.close());
    if (!runner.availability.isAvailable) return;
    for (const { model } of server.uploads.slice(0, 2)) {
      expect(await runner.tryUpload(() => Promise.resolve(model), SIGNATURE)).toEqual({
        value: { opset: 17, inputs: ['past_target', 'past_observed', 'future_time'] },
      });
    }
  },
  120_000,
);
