import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Plan } from './plan.ts';
import type { Redirection } from './references.ts';
import { isWithin, type Path, valueAt } from './steps.ts';

/** The data of the document after the edit. */
export function applyPlan(document: JsonObject, { redirections, take, put, set }: Plan): JsonObject {
  const data = structuredClone(document);
  // Places are looked up before any of them changes: the plan speaks of the document before the edit.
  const [from, to] = [arrayAt(data, take?.list), arrayAt(data, put?.list)];
  const copy = put?.item.from === 'copy' ? to?.[put.item.of] : undefined;
  const copied =
    put?.item.from === 'copy' && copy !== undefined
      ? redirected(copy, put.item.redirections, [...put.list, String(put.item.of)])
      : undefined;
  redirect(data, redirections, []);

  if (put !== undefined && to !== undefined) {
    const { item } = put;
    if (copied !== undefined) to.splice(put.at, 0, copied);
    else if (item.from === 'edit') to.splice(put.at, 0, item.item);
    else if (item.from === 'taken' && take !== undefined) to.splice(put.at, 0, from?.[take.at] ?? null);
  }
  if (take !== undefined) {
    const isBehindPut = from === to && put !== undefined && put.at <= take.at;
    from?.splice(isBehindPut ? take.at + 1 : take.at, 1);
  }
  if (set !== undefined) setAt(data, set.path, set.value);
  return data;
}

/** A part of the document as the redirections in it make it. @param root where it stands */
export function redirected(value: Json, redirections: readonly Redirection[], root: Path): Json {
  const copy = structuredClone(value);
  const within = redirections.filter(({ path }) => isWithin(path, root));
  redirect(copy, within, root);
  return copy;
}

/** @param root where the value stands in the document that the paths are into */
function redirect(value: Json, redirections: readonly Redirection[], root: Path): void {
  const found = redirections.map((one) => {
    const path = one.path.slice(root.length);
    return { ...one, name: path.at(-1) ?? '', holder: valueAt(value, path.slice(0, -1)) };
  });
  for (const { holder, name, becomes, isKey } of found) {
    if (!isJsonObject(holder)) continue;
    if (isKey === true) {
      const entries = Object.entries(holder).map(([key, member]) => [key === name ? becomes : key, member] as const);
      for (const [key] of entries) Reflect.deleteProperty(holder, key === becomes ? name : key);
      for (const [key, member] of entries) put(holder, key, member);
    } else holder[name] = becomes;
  }
}

function setAt(data: JsonObject, path: Path, value: Json | undefined): void {
  let holder: Json = data;
  for (const token of path.slice(0, -1)) {
    const next: Json = memberOf(holder, token) ?? {};
    put(holder, token, next);
    holder = next;
  }
  const last = path.at(-1) ?? '';
  if (value !== undefined) put(holder, last, value);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (isJsonObject(holder)) Reflect.deleteProperty(holder, last);
}

function memberOf(holder: Json, token: string): Json | undefined {
  return valueAt(holder, [token]);
}

function put(holder: Json, token: string, value: Json): void {
  if (Array.isArray(holder)) holder[Number(token)] = value;
  else if (isJsonObject(holder)) {
    // Assignment would call the setter of `__proto__`.
    Object.defineProperty(holder, token, { value, writable: true, enumerable: true, configurable: true });
  }
}

function arrayAt(data: Json, path: Path | undefined): Json[] | undefined {
  const value = path === undefined ? undefined : valueAt(data, path);
  return Array.isArray(value) ? value : undefined;
}
