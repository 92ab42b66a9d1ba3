import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run soak` runs the files that do more with this variable. */
const isSoak = Boolean(process.env.SOAK)
const soakFiles = ['-rl', '--include=*.test.ts', '--exclude-dir=node_modules', 'process.env.SOAK', 'src', 'test']

export default defineConfig({
  // The examples import the client by its name. A clone has not built the package.
  resolve: { alias: { 'purser-client': join(import.meta.dirname, 'client/src/index.ts') } },
  test: {
    include: isSoak
      ? execFileSync('grep', soakFiles, { encoding: 'utf8' }).trim().split('\n')
      : [
          'src/**/*.test.ts',
          'client/src/**/*.test.ts',
          'testing/*.test.ts',
          'cli/**/*.test.ts',
          'ground/*.test.ts',
          'console/**/*.test.ts',
          'test/**/*.test.ts',
        ],
    globalSetup: ['test/support/server.ts'],
    reporters: ['default', './test/support/run/closing-line.ts'],
    // Long ones cost nothing where tests pass, and a busy machine needs them.
    testTimeout: isSoak ? 900_000 : 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // With isolation every file loads the whole service again, which took a third of the run.
    isolate: false,
    // Most of what a test makes lives for one request: with 16 MiB for young objects, V8 took a tenth of the run to collect them.
    execArgv: ['--max-semi-space-size=64'],
    // Twice the cores of the smallest machine: many tests wait for processes and time limits. More would find no core free, and
    // each one loads and compiles the service for itself.
    maxWorkers: 4,
    // Concurrent tests of one file wait for time limits.
    maxConcurrency: 12,
  },
})
