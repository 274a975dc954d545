import { passwordCost } from '../../src/platform/auth/password.ts'

/** Read before the first test of a worker, so these are the parameters of the program. */
const real = { ...passwordCost }

/** A hash takes a hundredth of its time. Each hash names its parameters, so the built program verifies it too. */
export const lowerPasswordCost = (): void => void Object.assign(passwordCost, { memory: 64, passes: 1 })

/** Hashes as the program does, for tests of how much time or how many bytes that takes. */
export async function withRealPasswordCost(work: () => Promise<void>): Promise<void> {
  Object.assign(passwordCost, real)
  try {
    await work()
  } finally {
    lowerPasswordCost()
  }
}
