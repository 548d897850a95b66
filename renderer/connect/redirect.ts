// Redirects a connect link to the studio. Its parameters move from the query, which servers see and log, into the fragment.
// The original address is not kept in the browser history.
const studio = location.pathname.replace(/connect\/?(?:index\.html)?$/, '');
location.replace(`${location.origin}${studio}#/connect${location.search}`);
