import { List, Text } from '@mantine/core';
import { Ban, Equal, type LucideIcon, Minus, Pencil, Plus } from 'lucide-react';
import { placedWords } from '../../../shared/issues.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { Mark, type Sense } from '../../ui/mark.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';
import { type Change, countWords, isRefused, isWithoutEffect } from './import-words.ts';
import type { ImportPlan } from './plan-import.ts';

interface Group {
  change: Change;
  title: string;
  icon: LucideIcon;
  sense: Sense;
  about?: string;
}

/** In the order in which they are shown. */
const GROUPS: readonly Group[] = [
  {
    change: 'retired',
    title: 'Refused',
    icon: Ban,
    sense: 'bad',
    about: 'These names were retired in this playbook and are never used again. Rename their files in the archive.',
  },
  { change: 'create', title: 'New', icon: Plus, sense: 'good' },
  { change: 'update', title: 'Changed', icon: Pencil, sense: 'warn', about: 'Earlier versions are kept.' },
  { change: 'unchanged', title: 'Unchanged', icon: Equal, sense: 'quiet' },
  { change: 'missing', title: 'Not in the archive, kept', icon: Minus, sense: 'quiet' },
];

/** What an import would create, change and leave. */
export function ImportPreview({ plan: { playbook, changes } }: { plan: ImportPlan }) {
  const { archived, ignored, definitions } = changes;
  return (
    <div>
      <Text size="sm" role="status" fw={600}>
        {titleOf(changes, playbook)}
      </Text>
      {changes.playbook === 'update' && (
        <Text size="sm" mt={4}>
          The playbook gets the name and the description of the archive.
        </Text>
      )}
      {archived !== playbook && (
        <Text size="sm" mt={4}>
          The archive was exported from another playbook, <code>{archived}</code>.
        </Text>
      )}
      {GROUPS.map((group) => (
        <ChangesOf
          key={group.change}
          group={group}
          definitions={definitions.filter(({ change }) => change === group.change)}
        />
      ))}
      {ignored.length > 0 && (
        <details>
          <summary>
            {ignored.length === 1 ? '1 file is ignored' : `${ignored.length} files are ignored`}: not part of a playbook
          </summary>
          <List size="sm">
            {ignored.map((file) => (
              <List.Item key={file}>
                <code>{file}</code>
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </div>
  );
}

function titleOf(changes: ImportPlan['changes'], playbook: string): string {
  if (isRefused(changes)) return `This archive cannot be imported into ${playbook}.`;
  if (isWithoutEffect(changes)) return `${playbook} already contains everything in this archive.`;
  return `${changes.playbook === 'create' ? 'Creates' : 'Changes'} the playbook ${playbook}: ${countWords(changes)}.`;
}

function ChangesOf({
  group: { title, icon, sense, about },
  definitions,
}: {
  group: Group;
  definitions: ImportPlan['changes']['definitions'];
}) {
  if (definitions.length === 0) return null;
  return (
    <section aria-label={title} className="import-group">
      <Text component="h3" size="sm" fw={600}>
        <Mark sense={sense} icon={icon}>
          {title}
        </Mark>
      </Text>
      {about !== undefined && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <ul className="import-list">
        {definitions.map(({ type, name, change, version = 0, warnings = [] }) => (
          <li key={`${type}/${name}`}>
            <TypeIcon type={type} size={14} />
            <span>
              {type}/{name}
              {change === 'update' && (
                <Text span size="sm" c="dimmed">
                  {' '}
                  version {version} → {version + 1}
                </Text>
              )}
            </span>
            {warnings.map((warning) => (
              <span key={`${warning.pointer} ${warning.detail}`} className="import-warning">
                <Mark sense="warn">
                  <InlineCode>{placedWords(warning)}</InlineCode>
                </Mark>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
