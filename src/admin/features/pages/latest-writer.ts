/**
 * Writes one after the other, and of what is asked meanwhile the last alone.
 */
export function latestWriter(write: () => Promise<void>): () => void {
  let writing = false
  let again = false
  const work = async () => {
    writing = true
    do {
      again = false
      await write()
    } while (again)
    writing = false
  }
  return () => {
    again = true
    if (!writing) void work()
  }
}
