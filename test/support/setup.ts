import { format } from 'node:util'
import { afterAll, beforeEach, vi } from 'vitest'
import { mailLimits } from '../../src/contract/mail-server.ts'
import { closeAll } from './close-after-test.ts'
import { lowerPasswordCost } from './password-cost.ts'
import { recordError, takeErrors } from './test-log.ts'
import { patienceMs } from './wait-until.ts'

// Vitest runs this file before each file of tests.

lowerPasswordCost()
// The time limit for a mail server is raised: on a busy machine the servers of the tests answer late.
mailLimits.stepMs = patienceMs

beforeEach(({ onTestFinished }) => {
  const spy = vi.spyOn(console, 'error').mockImplementation((...args) => recordError(format(...args)))
  // Registered first, so it runs last, after everything that the test closes.
  onTestFinished(() => {
    spy.mockRestore()
    failOnErrors()
  })
})

afterAll(async () => {
  await closeAll()
  failOnErrors()
})

/** A test that logs an error fails, even when its assertions pass. */
function failOnErrors() {
  const errors = takeErrors()
  if (errors.length > 0) throw new Error(`Errors were logged:\n${errors.join('\n')}`)
}
