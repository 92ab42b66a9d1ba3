/*
 * Settings of V8; main.ts imports this file first, so that they hold before any other module of the service runs.
 * The plain way: V8's defaults.
 * Cost of the plain way: `process.nextTick` takes 0.4 µs in place of 0.1, five times a read; see below for the other one.
 * Compared by: test/check/crash/run.test.ts.
 */
import { executionAsyncResource } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'

// Under many concurrent payments V8 learns to allocate the objects of a request among the long-lived ones. They die young
// all the same, and until the next full collection they keep alive whatever they point to, so that requests take longer.
setFlagsFromString('--no-allocation-site-pretenuring')

// V8 forgets the hidden class of the objects of `process.nextTick` when a collection finds none alive, and creating one
// then takes four times as long. The global object keeps one alive.
process.nextTick(() => {
  Object.assign(globalThis, { [Symbol('tick')]: executionAsyncResource() })
})
