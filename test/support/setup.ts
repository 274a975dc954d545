import { format } from 'node:util'
import { afterAll, beforeEach, vi } from 'vitest'
import { closeAll } from './closing.ts'
import { noteError, takeErrors } from './logged.ts'

beforeEach(({ onTestFinished }) => {
  const spy = vi.spyOn(console, 'error').mockImplementation((...args) => noteError(format(...args)))
  // Registered first, so it runs last, after whatever the test itself closes.
  onTestFinished(() => {
    spy.mockRestore()
    refuseErrors()
  })
})

afterAll(async () => {
  await closeAll()
  refuseErrors()
})

/** A test that logs an error fails, whatever it expected. */
function refuseErrors() {
  const errors = takeErrors()
  if (errors.length > 0) throw new Error(`Errors were logged:\n${errors.join('\n')}`)
}
