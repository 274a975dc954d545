import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { readBody } from './body.ts'

/**
 * The fields of a form, by their names; other fields are left unread, and one that came twice counts as not sent.
 * @throws {Refusal} `unsupported_type`, `too_large`, `malformed`
 */
export async function readForm<const Name extends string>(
  request: Request,
  names: readonly Name[],
  maxBytes: number = limits.formBodyBytes,
): Promise<Partial<Record<Name, string>>> {
  const { kind, entries } = await readBody(request, maxBytes)
  if (kind !== 'form') throw new Refusal('unsupported_type')
  const fields: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const values = entries.filter(([one]) => one === name).map(([, value]) => value)
    if (values.length === 1 && typeof values[0] === 'string') fields[name] = values[0]
  }
  return fields
}
