/** @throws an error of its own for what is no key: none may lead out of the folder */
export function partsOf(key: string): string[] {
  const parts = key.split('/')
  if (parts.length > 2 || !parts.every((part) => /^\w[\w.-]*$/.test(part))) throw new Error('that is no key of a file')
  return parts
}
