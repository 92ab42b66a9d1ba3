/*
 * Gives Node 20 the global `navigator` that later versions have; main.ts and operator.ts import this file first.
 * The plain way: none.
 * Cost of the plain way: pg looks for `navigator`, then for `Response`. Node loads its fetch for that, 40 ms of a start.
 *   The bundle of a checkout still takes them: it imports pg, which is no part of it, before anything else.
 * Compared by: test/check/crash/run.test.ts.
 */
if (!('navigator' in globalThis)) {
  const [major] = process.versions.node.split('.')
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${major}` } })
}
