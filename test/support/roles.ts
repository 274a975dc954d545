import type { Right } from '../../src/contract/rights.ts'
import { aUser, type SignedIn, signedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Puts a role in the database as the program would. @returns the id */
export async function aRole(site: TestApp, name: string, rights: readonly Right[]): Promise<number> {
  const at = new Date().toISOString()
  const { id } = await site.db
    .insertInto('role')
    .values({ name, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (rights.length > 0) {
    await site.db
      .insertInto('role_right')
      .values(rights.map((right_name) => ({ role_id: id, right_name })))
      .execute()
  }
  return id
}

/** Somebody who holds these rights and no more, signed in. */
export async function someoneWith(site: TestApp, name: string, rights: readonly Right[]): Promise<SignedIn> {
  const email = `${name.toLowerCase()}@example.nl`
  const roleId = rights.length > 0 ? await aRole(site, `rol van ${name}`, rights) : null
  const id = await aUser(site, { name, email, roleId })
  return { id, ...(await signedIn(site, email)) }
}
