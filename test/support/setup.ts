import { format } from 'node:util'
import { afterAll, beforeEach, vi } from 'vitest'
import { mailLimits } from '../../src/contract/mail-server.ts'
import { closeAll } from './close-after-test.ts'
import { lowerPasswordCost } from './password-cost.ts'
import { noteError, takeErrors } from './test-log.ts'
import { patienceMs } from './wait-until.ts'

lowerPasswordCost()
// Servers of a test that a busy machine leaves without a processor still answer in time.
mailLimits.stepMs = patienceMs

beforeEach(({ onTestFinished }) => {
  const spy = vi.spyOn(console, 'error').mockImplementation((...args) => noteError(format(...args)))
  // Registered first, so it runs last, after the closing hooks of the test.
  onTestFinished(() => {
    spy.mockRestore()
    refuseErrors()
  })
})

afterAll(async () => {
  await closeAll()
  refuseErrors()
})

/** A test that logs an error fails, even when its assertions pass. */
function refuseErrors() {
  const errors = takeErrors()
  if (errors.length > 0) throw new Error(`Errors were logged:\n${errors.join('\n')}`)
}
