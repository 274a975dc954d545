import { passwordCost } from '../../src/platform/auth/password.ts'

/** The parameters of the program: this module is imported before `lowerPasswordCost` changes them. */
const programCost = { ...passwordCost }

/**
 * Makes each hash take a hundredth of the time, except during `withRealPasswordCost`. Each hash names its
 * parameters, so the built program verifies it too.
 */
export const lowerPasswordCost = (): void => void Object.assign(passwordCost, { memory: 64, passes: 1 })

/** Runs `work` with the parameters of the program, to test how much time or memory they take. */
export async function withRealPasswordCost(work: () => Promise<void>): Promise<void> {
  Object.assign(passwordCost, programCost)
  try {
    await work()
  } finally {
    lowerPasswordCost()
  }
}
