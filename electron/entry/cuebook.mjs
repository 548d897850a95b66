// Cuebook's command line where it is installed as an app: agents start the app's own program with this file and
// ELECTRON_RUN_AS_NODE=1, for example with the argument `mcp`. It stands beside the app's archive, so that whoever starts
// it needs to know nothing of archives.
await import(new URL('../../app.asar/server/main.js', import.meta.url).href);
