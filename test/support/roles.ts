import type { Right } from '../../src/contract/rights.ts'
import { aUser, type SignedIn, withSession } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Inserts a role into the database. @returns the id */
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

/** A signed-in user with exactly these rights. */
export async function signInWithRights(site: TestApp, name: string, rights: readonly Right[]): Promise<SignedIn> {
  const email = `${name.toLowerCase()}@example.nl`
  const roleId = rights.length > 0 ? await aRole(site, `rol van ${name}`, rights) : null
  const id = await aUser(site, { name, email, roleId })
  return withSession(site, id)
}
