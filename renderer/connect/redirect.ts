// Where a connect link leads. What it holds moves from the query, which servers see and logs keep, into the fragment of
// the studio's page; the address that held it is not kept in the history.
const studio = location.pathname.replace(/connect\/?(?:index\.html)?$/, '');
location.replace(`${location.origin}${studio}#/connect${location.search}`);
