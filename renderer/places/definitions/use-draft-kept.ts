import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import type { DefinitionKey } from '../../api/queries.ts';
import { isDraftKept, readDraft } from '../../editor/drafts.ts';

/** Notifies a person who leaves a page with unsaved changes. @param title of the definition */
export function useDraftKept(key: DefinitionKey, title: string): void {
  const latest = useRef({ key, title });
  useEffect(() => {
    latest.current = { key, title };
  });
  useEffect(
    () => () => {
      const { key: left, title: named } = latest.current;
      if (readDraft(left) === undefined) return;
      notifications.show({
        message: `Your changes to ${named} are ${isDraftKept(left) ? 'kept in this browser, and ' : ''}not saved yet.`,
      });
    },
    [],
  );
}
