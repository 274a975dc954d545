/** The archive cannot be used, with the reason for the operator. */
export class UnusableArchive extends Error {
  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} ${reason}`, { cause })
    this.name = 'UnusableArchive'
  }
}
