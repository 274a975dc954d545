import { TargetFailure } from './archive/backup-target.ts'
import { UnusableArchive } from './archive/unusable-archive.ts'
import { UnusableFile } from './config/secret.ts'
import { InvalidSettings } from './config/settings.ts'
import { InvalidConfiguration } from './config/site-file.ts'
import { DatabaseTooNew } from './db/migrations/index.ts'

/** The text of an error that ends the program, for the operator: the message of a mistake, the stack trace of a bug. */
export function operatorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const expected = [InvalidSettings, InvalidConfiguration, UnusableFile, DatabaseTooNew, UnusableArchive, TargetFailure]
  const isExpected = expected.some((errorClass) => error instanceof errorClass)
  return isExpected ? error.message : (error.stack ?? error.message)
}
