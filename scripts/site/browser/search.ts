// Searches the static pages in the browser. The index is loaded when the field gets the focus.
import MiniSearch from 'minisearch';
import { type FoundPage, INDEX_FILE, SEARCH_OPTIONS } from '../search-options.ts';

const MOST_SHOWN = 12;
const ROOT = new URL(/* @vite-ignore */ '.', import.meta.url);

const field = document.querySelector<HTMLInputElement>('#search')!;
const list = document.querySelector<HTMLUListElement>('#search-results')!;
const status = document.querySelector<HTMLParagraphElement>('#search-status')!;

let loading: Promise<MiniSearch> | undefined;
const load = (): Promise<MiniSearch> =>
  (loading ??= fetch(new URL(INDEX_FILE, ROOT))
    .then((response) => response.text())
    .then((json) => MiniSearch.loadJSON(json, SEARCH_OPTIONS)));

function entryOf({ id, title, description }: FoundPage): HTMLLIElement {
  const link = Object.assign(document.createElement('a'), { href: new URL(id, ROOT).href, textContent: title });
  const item = document.createElement('li');
  item.append(link, ` ${description}`);
  return item;
}

async function search(): Promise<void> {
  const query = field.value.trim();
  let found: FoundPage[] = [];
  try {
    if (query !== '') found = (await load()).search(query).slice(0, MOST_SHOWN) as unknown as FoundPage[];
  } catch {
    loading = undefined;
    status.textContent = 'The search index could not be loaded. Type again to retry.';
    return;
  }
  // A slower answer for older words is left out.
  if (query !== field.value.trim()) return;
  list.replaceChildren(...found.map(entryOf));
  status.textContent = query === '' ? '' : found.length === 0 ? 'No page matches.' : `${found.length} pages`;
}

field.addEventListener('focus', () => void load().catch(() => (loading = undefined)), { once: true });
field.addEventListener('input', () => void search());
field.form?.addEventListener('submit', (event) => event.preventDefault());
