import { defineConfig } from 'vitest/config'

// Purser creates its database when it starts, which takes a few seconds, and longer on a busy machine.
export default defineConfig({
  test: { include: ['test/*.vitest.js'], testTimeout: 120_000, hookTimeout: 120_000 },
})
