/** The archive cannot be used, with the reason for the operator. */
export class UnusableArchive extends Error {
  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} ${reason}`, { cause })
    this.name = 'UnusableArchive'
  }
}

/** The archive was encrypted with another key. */
export class OtherKeyArchive extends UnusableArchive {
  constructor(path: string, cause?: unknown) {
    super(path, 'was made with another key.', cause)
  }
}

/** The archive was made by a newer version of this program. */
export class NewerArchive extends UnusableArchive {
  constructor(path: string) {
    super(path, 'was made by a newer version of this program. Restore it with that version.')
  }
}
