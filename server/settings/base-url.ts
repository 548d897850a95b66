export const BASE_URL_FORM =
  'an http or https URL without userinfo, query and fragment, for example https://llm.example.com/v1';

/** Without slashes at the end; undefined for what is no base URL. */
export function baseUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}
