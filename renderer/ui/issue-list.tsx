import { List } from '@mantine/core';
import { isJsonObject } from '../../shared/json.ts';
import { InlineCode } from './inline-code.tsx';

interface ShownIssue {
  pointer: string;
  detail: string;
}

/** The fields that were refused, each with its JSON Pointer; nothing if there are none. */
export function IssueList({ issues }: { issues: readonly ShownIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <List size="sm">
      {issues.map(({ pointer, detail }) => (
        <List.Item key={`${pointer} ${detail}`}>
          <InlineCode>{detail}</InlineCode> {pointer !== '' && <code>{pointer}</code>}
        </List.Item>
      ))}
    </List>
  );
}

/** The issues of a recorded rejection. */
export function issuesIn(rejection: unknown): ShownIssue[] {
  const issues = isJsonObject(rejection) ? rejection['issues'] : undefined;
  if (!Array.isArray(issues)) return [];
  return issues.filter(isJsonObject).map(({ pointer, detail }) => ({
    pointer: typeof pointer === 'string' ? pointer : '',
    detail: typeof detail === 'string' ? detail : '',
  }));
}
