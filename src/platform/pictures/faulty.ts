import type { PictureFault } from './job.ts'

/** Thrown for a picture that is refused; everything else that is thrown is one that cannot be read. */
export class Faulty extends Error {
  readonly fault: PictureFault
  constructor(fault: PictureFault) {
    super(fault)
    this.fault = fault
  }
}
