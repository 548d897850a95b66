import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { CopyAs } from '../copy-as.tsx';
import { JsonLine } from './json-line.tsx';
import {
  FIRST_MEMBERS,
  findInJson,
  type JsonPath,
  type JsonRow,
  keyOf,
  openAtFirst,
  type Opened,
  openTo,
  rowsOf,
} from './json-rows.ts';
import './json.css';

/** Values with fewer lines have no search field. */
const SEARCHED_LINES = 12;

export interface JsonViewProps {
  value: unknown;
  label: string;
  /** Shown in one line with the search and the copy button. */
  heading?: ReactNode;
}

/**
 * A JSON value as a tree: parts can be closed, searched and copied. The arrow keys move through it, as through any tree;
 * long lists, long texts and deep parts are only rendered when they are opened.
 */
export function JsonView({ value, label, heading }: JsonViewProps) {
  const initial = useMemo(
    () => ({ value, opened: { open: openAtFirst(value), shown: new Map<string, number>() } }),
    [value],
  );
  const [kept, setKept] = useState<{ value: unknown; opened: Opened }>(initial);
  // Another value is opened anew.
  const { opened } = kept.value === value ? kept : initial;
  const setOpened = (next: Opened): void => setKept({ value, opened: next });
  const rows = useMemo(() => rowsOf(value, opened), [value, opened]);
  const tree = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(keyOf([]));
  const search = useSearch(value, (path) => setOpened(openTo(value, path, opened)));

  useEffect(() => {
    if (search.here === undefined) return;
    tree.current?.querySelector('[data-found="here"]')?.scrollIntoView({ block: 'nearest' });
  }, [search.here]);

  const toggle = ({ path }: JsonRow): void => {
    const open = new Set(opened.open);
    if (!open.delete(keyOf(path))) open.add(keyOf(path));
    setOpened({ ...opened, open });
  };
  const showMore = (parent: string): void => {
    const most = (opened.shown.get(parent) ?? FIRST_MEMBERS) + FIRST_MEMBERS;
    setOpened({ ...opened, shown: new Map(opened.shown).set(parent, most) });
  };
  const reachable = rows.filter(({ content }) => content.is !== 'end');
  const currentKey = reachable.some(({ path }) => keyOf(path) === current) ? current : keyOf([]);
  const focus = (row: JsonRow | undefined): void => {
    if (row === undefined) return;
    setCurrent(keyOf(row.path));
    tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[reachable.indexOf(row)]?.focus();
  };
  const press = (event: KeyboardEvent, row: JsonRow): void => {
    const index = reachable.indexOf(row);
    const isOpen = row.content.is === 'parent' && row.content.isOpen;
    const isParent = row.content.is === 'parent' && row.content.size > 0;
    const parent = keyOf(row.path.slice(0, -1));
    const actions: Record<string, () => void> = {
      ArrowDown: () => focus(reachable[index + 1]),
      ArrowUp: () => focus(reachable[index - 1]),
      Home: () => focus(reachable[0]),
      End: () => focus(reachable.at(-1)),
      ArrowRight: () => (isParent && !isOpen ? toggle(row) : isOpen ? focus(reachable[index + 1]) : undefined),
      ArrowLeft: () => (isOpen ? toggle(row) : focus(reachable.find(({ path }) => keyOf(path) === parent))),
      Enter: () => (isParent ? toggle(row) : undefined),
    };
    const action = actions[event.key];
    if (action === undefined || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return;
    event.preventDefault();
    action();
  };

  return (
    <div>
      <Group justify="flex-end" gap={6} mb={6}>
        {heading !== undefined && <div style={{ flex: 1 }}>{heading}</div>}
        {(rows.length > SEARCHED_LINES || search.text !== '') && <SearchField label={label} search={search} />}
        <CopyAs copies={[{ name: 'JSON', text: () => JSON.stringify(value, undefined, 2) ?? 'nothing' }]} />
      </Group>
      <div ref={tree} className="code json-tree" role="tree" aria-label={label}>
        {rows.map((row) => {
          const key = keyOf(row.path);
          const isEnd = row.content.is === 'end';
          return (
            <JsonLine
              key={isEnd ? `end ${key}` : key}
              row={row}
              isCurrent={key === currentKey}
              found={isEnd ? undefined : search.foundAt(key)}
              onFocus={() => setCurrent(key)}
              onToggle={() => toggle(row)}
              onMore={() => row.content.is === 'rest' && showMore(row.content.parent)}
              onKey={(event) => press(event, row)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface JsonSearch {
  text: string;
  /** The key of the match at which the search is. */
  here: string | undefined;
  /** `3 of 12`, or that nothing was found. */
  words: string;
  type: (text: string) => void;
  move: (by: 1 | -1) => void;
  foundAt: (key: string) => 'here' | 'elsewhere' | undefined;
}

function useSearch(value: unknown, show: (path: JsonPath) => void): JsonSearch {
  const [text, setText] = useState('');
  const [index, setPlace] = useState(0);
  const found = useMemo(() => findInJson(value, text.trim()), [value, text]);
  const keys = useMemo(() => new Set(found.paths.map(keyOf)), [found]);
  const count = found.paths.length;
  const path = found.paths[index % Math.max(1, count)];
  const here = path && keyOf(path);
  return {
    text,
    here,
    words:
      count === 0 ? 'No match' : `${(index % count) + 1} of ${count.toLocaleString()}${found.isCut ? ' or more' : ''}`,
    type(next) {
      setText(next);
      setPlace(0);
      const [first] = findInJson(value, next.trim()).paths;
      if (first !== undefined) show(first);
    },
    move(by) {
      if (count === 0) return;
      const next = (index + by + count) % count;
      setPlace(next);
      const to = found.paths[next];
      if (to !== undefined) show(to);
    },
    foundAt: (key) => (key === here ? 'here' : keys.has(key) ? 'elsewhere' : undefined),
  };
}

function SearchField({ label, search }: { label: string; search: JsonSearch }) {
  const { text, words, type, move } = search;
  return (
    <>
      {text !== '' && (
        <>
          <Text size="xs" c="dimmed" role="status" className="number">
            {words}
          </Text>
          <ActionIcon variant="default" size="sm" aria-label="Previous match" onClick={() => move(-1)}>
            <ChevronUp size={14} />
          </ActionIcon>
          <ActionIcon variant="default" size="sm" aria-label="Next match" onClick={() => move(1)}>
            <ChevronDown size={14} />
          </ActionIcon>
        </>
      )}
      <TextInput
        size="xs"
        w={180}
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search"
        leftSection={<Search size={13} aria-hidden />}
        rightSection={
          text === '' ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={() => type('')} />
        }
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          move(event.shiftKey ? -1 : 1);
        }}
      />
    </>
  );
}
