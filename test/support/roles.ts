import type { Right } from '../../src/contract/rights.ts'
import { aUser, type SignedIn, withSession } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Inserts a role into the database. @returns the id */
export async function aRole(site: TestApp, name: string, rights: readonly Right[]): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await site.db
    .insertInto('role')
    .values({ name, created_at: now, updated_at: now })
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

/** Adds a user with exactly these rights. @returns a client with a session of that user */
export async function signInWithRights(site: TestApp, name: string, rights: readonly Right[]): Promise<SignedIn> {
  const email = `${name.toLowerCase()}@example.nl`
  const roleId = rights.length > 0 ? await aRole(site, `rol van ${name}`, rights) : null
  const id = await aUser(site, { name, email, roleId })
  return withSession(site, id)
}
