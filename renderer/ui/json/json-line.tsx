import { ActionIcon, Tooltip } from '@mantine/core';
import { ChevronDown, ChevronRight, Copy, Route } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { copyToClipboard } from '../desktop.ts';
import { FIRST_MEMBERS, type JsonRow, membersOf, pathText } from './json-rows.ts';

/** Characters of a text that are shown at first. */
const FIRST_CHARACTERS = 2000;
/** Characters of a closed object that are shown. */
const PREVIEW_CHARACTERS = 100;
const INDENT_PX = 16;

export interface JsonLineProps {
  row: JsonRow;
  /** Whether Tab reaches this line of the tree. */
  isCurrent: boolean;
  /** Whether the line matches the search, and whether it is the match at which the search is. */
  found: 'here' | 'elsewhere' | undefined;
  onFocus: () => void;
  onToggle: () => void;
  onMore: () => void;
  onKey: (event: KeyboardEvent) => void;
}

/** One line of a JSON tree. */
export function JsonLine({ row, isCurrent, found, onFocus, onToggle, onMore, onKey }: JsonLineProps) {
  const { content, path } = row;
  const level = path.length + 1;
  const style = { paddingLeft: 22 + path.length * INDENT_PX };
  if (content.is === 'end') {
    return (
      <div className="json-row json-quiet" style={style} aria-hidden>
        {content.bracket}
        {row.isFollowed && ','}
      </div>
    );
  }
  const common = {
    className: 'json-row',
    role: 'treeitem',
    'aria-level': level,
    tabIndex: isCurrent ? 0 : -1,
    style,
    onFocus,
  };
  if (content.is === 'rest') {
    const next = Math.min(content.remaining, FIRST_MEMBERS);
    return (
      <div
        {...common}
        onClick={onMore}
        onKeyDown={(event) => (event.key === 'Enter' ? onMore() : onKey(event))}
        style={{ ...style, cursor: 'pointer' }}
      >
        <span className="json-quiet">
          Show {next.toLocaleString()} more of {content.remaining.toLocaleString()}…
        </span>
      </div>
    );
  }
  const isParent = content.is === 'parent' && content.size > 0;
  return (
    <div
      {...common}
      data-found={found}
      aria-expanded={isParent ? content.isOpen : undefined}
      onClick={() => {
        // A person who selects text does not want the line to close.
        if (isParent && getSelection()?.isCollapsed !== false) onToggle();
      }}
      onKeyDown={onKey}
    >
      {isParent && (
        <span className="json-toggle" aria-hidden>
          {content.isOpen ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
        </span>
      )}
      {row.name !== undefined && (
        <>
          <span className="json-name json-part">{JSON.stringify(row.name)}</span>
          {': '}
        </>
      )}
      {content.is === 'parent' ? <Parent {...content} /> : <Value value={content.value} />}
      {row.isFollowed && !(content.is === 'parent' && content.isOpen) && ','}
      <Actions row={row} value={content.value} isReachable={isCurrent} />
    </div>
  );
}

function Parent({ value, size, isOpen }: { value: object; size: number; isOpen: boolean }) {
  const isList = Array.isArray(value);
  return <span className="json-quiet">{isOpen ? (isList ? '[' : '{') : closedText(value, size)}</span>;
}

/** A closed list with its length, and a closed object with its first members. */
function closedText(value: object, size: number): string {
  if (Array.isArray(value)) return size === 0 ? '[]' : `[…] ${size.toLocaleString()} ${size === 1 ? 'item' : 'items'}`;
  if (size === 0) return '{}';
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    const inner = membersOf(member) === undefined ? JSON.stringify(member) : Array.isArray(member) ? '[…]' : '{…}';
    if (text.length + name.length + inner.length > PREVIEW_CHARACTERS) return `{ ${text === '' ? '' : `${text}, `}… }`;
    text += `${text === '' ? '' : ', '}${name}: ${inner}`;
  }
  return `{ ${text} }`;
}

function Value({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const text = JSON.stringify(value) ?? 'nothing';
  const remaining = text.length - FIRST_CHARACTERS;
  if (typeof value !== 'string' || remaining <= 0 || isWhole) {
    return <span className={`json-part ${classOf(value)}`}>{text}</span>;
  }
  return (
    <>
      <span className="json-part json-string">{text.slice(0, FIRST_CHARACTERS)}</span>{' '}
      <button type="button" className="json-more" onClick={() => setWhole(true)}>
        Show {remaining.toLocaleString()} more characters
      </button>
    </>
  );
}

function classOf(value: unknown): string {
  if (typeof value === 'string') return 'json-string';
  return typeof value === 'number' ? 'json-number' : 'json-word';
}

function Actions({ row, value, isReachable }: { row: JsonRow; value: unknown; isReachable: boolean }) {
  const path = pathText(row.path);
  const text = (): string => (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? ''));
  const copies = [
    { name: 'path', icon: <Route size={12} />, text: () => path },
    { name: 'value', icon: <Copy size={12} />, text },
  ];
  return (
    <span className="json-actions">
      {copies.map((copy) => (
        <Tooltip key={copy.name} label={`Copy ${copy.name}`}>
          <ActionIcon
            variant="default"
            size={18}
            tabIndex={isReachable ? 0 : -1}
            aria-label={`Copy ${copy.name} of ${path}`}
            onClick={(event) => {
              event.stopPropagation();
              void copyToClipboard(copy.name, copy.text());
            }}
            onKeyDown={(event) => event.stopPropagation()}
          >
            {copy.icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  );
}
