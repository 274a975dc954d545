import { ExplainedError } from '../../i18n/reason.ts'

/** An archive cannot be used, for the reason in the error. */
export class UnusableArchive extends ExplainedError {
  override name = 'UnusableArchive'
}

/** The archive was encrypted with another key. */
export class OtherKeyArchive extends UnusableArchive {
  constructor(archive: string, cause?: unknown) {
    super({ key: 'archiveOtherKey', archive }, cause)
  }
}

/** The archive was made by a newer version of Etalage. */
export class NewerArchive extends UnusableArchive {
  constructor(archive: string) {
    super({ key: 'archiveNewer', archive })
  }
}
