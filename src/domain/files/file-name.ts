import { fileTypeOf } from '../../contract/file-types.ts'
import { limits } from '../../contract/limits.ts'
import { cutText } from '../../contract/text.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unfit = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"*:<>?|]+/g

/**
 * A name that any system can store, and that says no more than it is: without folders, controls and marks that turn the
 * reading around, with the ending of what the file is. What the name is for is people; nothing is stored under it.
 */
export function fileNameOf(given: string, type: string): string {
  const own = fileTypeOf(type)
  const base = given.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = base.replace(unfit, ' ').replace(/\s+/g, ' ').trim()
  const ending = /\.([a-z0-9]{1,5})$/i.exec(plain)?.[1]?.toLowerCase()
  const known = ending !== undefined && own !== undefined && [own.ending, ...(own.also ?? [])].includes(ending)
  const right = known ? ending : (own?.ending ?? 'bin')
  const stem = (ending === undefined ? plain : plain.slice(0, -ending.length - 1)).replace(/^[.\s]+|[.\s]+$/g, '')
  return `${cutText(stem || 'bestand', limits.fileNameChars - right.length - 1)}.${right}`
}
