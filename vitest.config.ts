import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/server.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second, the default, is short for a machine with other work.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Every file would load the whole service anew, which took a third of the run.
    isolate: false,
    maxWorkers: 2,
  },
})
