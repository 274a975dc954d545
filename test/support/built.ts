import { ensureBuilt } from '../../scripts/setup/build.mjs'

/** Vitest global setup: the program that is started as a process is the one that the sources make today. */
export default function setup() {
  ensureBuilt()
}
