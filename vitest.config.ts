import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'client/src/**/*.test.ts',
      'testing/*.test.ts',
      'cli/**/*.test.ts',
      'console/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    globalSetup: ['test/support/server.ts'],
    reporters: ['default', './test/support/run/closing-line.ts'],
    // Long ones cost nothing where tests pass, and a busy machine needs them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // With isolation every file loads the whole service again, which took a third of the run.
    isolate: false,
    // Three times the cores of the smallest machine: many tests wait for processes and time limits.
    maxWorkers: 6,
    // Concurrent tests of one file wait for time limits.
    maxConcurrency: 12,
  },
})
