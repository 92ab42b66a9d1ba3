import { defineConfig } from 'vitest/config'

// Purser creates its database when it starts, which takes a few seconds.
export default defineConfig({ test: { include: ['test/*.vitest.js'], hookTimeout: 120_000 } })
