import type { Projection, StoredEvent } from '../../kernel/log/index.ts';
import { insertCandidate, putActive, putBuild, putBuiltVersion, type ActiveRow } from './models-sql.ts';

export const predictionProjection: Projection = {
  tables: ['prediction_builds', 'build_candidates', 'built_versions', 'active_versions'],
  async apply(tx, event) {
    const { data, metadata } = event;
    switch (event.type) {
      case 'dataset_assembled':
        return putBuild(tx, buildOf(event), {
          name: String(metadata.definition?.name),
          day: dayOf(metadata.at),
          dataset: String(data['dataset']),
        });
      case 'candidate_uploaded':
        return insertCandidate(tx, buildOf(event), {
          candidate: String(data['candidate']),
          bytes: Number(data['bytes']),
          opset: Number(data['opset']),
        });
      case 'version_built':
        return putBuiltVersion(tx, functionOf(event), Number(data['version']));
      case 'version_activated':
        return putActive(tx, functionOf(event), {
          version: Number(data['version']),
          rule: data['rule'] as ActiveRow['rule'],
          at: metadata.at,
        });
      default:
    }
  },
};

/** The UTC day of a time. */
export function dayOf(at: string): string {
  return at.slice(0, 10);
}

function buildOf({ org, playbook, metadata }: StoredEvent) {
  return { org, playbook, runId: String(metadata.run_id) };
}

function functionOf({ org, playbook, data }: StoredEvent) {
  return { org, playbook, name: String(data['function']) };
}
