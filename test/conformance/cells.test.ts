/**
 * The generated tests once more over two cells: the organisation of the tests lives in a further cell, and the other organisation,
 * whose records none of its requests may reach, in the home cell.
 */
process.env.TEST_CELLS = 'on'
await import('./generated.test.ts')

export {}
