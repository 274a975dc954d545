import { WrongSettings } from './config/settings.ts'
import { ConfigurationRefused } from './config/site-file.ts'
import { NewerDatabase } from './db/migrations/index.ts'

/** What an operator reads of an error that ends a program: of a mistake its words, of a fault where it happened too. */
export function operatorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const foreseen = [WrongSettings, ConfigurationRefused, NewerDatabase].some((kind) => error instanceof kind)
  return foreseen ? error.message : (error.stack ?? error.message)
}
