import { touchContent } from '../../platform/content-clock.ts'
import type { Context } from '../../platform/context.ts'
import { insertRevision } from './configuration.queries.ts'
import { readConfiguration } from './configuration.ts'

/**
 * Puts a configuration in force as a new revision, on every copy of the program.
 * @param input `note` says where it came from, and is also how a refusal names it
 * @throws {ConfigurationRefused} naming each place that is wrong; nothing is changed then
 */
export async function importConfiguration(
  ctx: Pick<Context, 'transaction' | 'now' | 'signal'>,
  input: { text: string; note: string; publicDir?: string },
): Promise<{ id: number }> {
  const site = readConfiguration(input.text, input.note, input.publicDir)
  const id = await ctx.transaction(async (tx) => {
    const made = await insertRevision(tx, {
      config: JSON.stringify(site),
      note: input.note,
      createdAt: ctx.now().toISOString(),
    })
    await touchContent(tx, ['site'])
    return made
  })
  ctx.signal.content()
  return { id }
}
