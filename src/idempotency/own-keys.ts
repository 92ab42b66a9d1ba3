import { sha256 } from '../base/sha256.ts'

/** The key under which a start makes the demo world. Its answer is kept for ever: without it the next start would make another. */
export const DEMO_KEY = sha256('demo world')
