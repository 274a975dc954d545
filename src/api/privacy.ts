import { createRoute } from '@hono/zod-openapi'
import { personErased, personExport, personFound, personSearch, personWish } from '../contract/privacy.ts'
import { erasePerson } from '../domain/privacy/erase-person.ts'
import { exportPerson, findPerson } from '../domain/privacy/find-person.ts'
import { createApi, json, refused } from '../http/api.ts'
import { placeOf } from '../http/place.ts'

const both = { rights: ['messages.write', 'users.write'], allRights: true } as const

const refusedForNow = {
  403: refused('A right is missing, or who has no password must sign in again first (`password_needed`)'),
  422: refused('The address, or the password of the one who asks'),
  429: refused('Too many wrong passwords'),
}

/** `/privacy`. Each is a POST, so that the address stands in no log of calls. */
export const privacyApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'post',
        path: '/privacy/search',
        ...both,
        summary: 'Look up how much is known about an address',
        request: { body: { required: true, ...json(personSearch, 'The address') } },
        responses: { 200: json(personFound, 'How much') },
      }),
      async (c) => c.json(await findPerson(c.var.ctx, c.req.valid('json').email), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/privacy/export',
        ...both,
        summary: 'Export everything about an address',
        description:
          'Messages with notes and answers, letters, the account, and what was done with it. Of who holds more rights than the one who asks, `account.leftOut` names what is not told. Needs the password of the one who asks. The log keeps that it was exported, without the address.',
        request: { body: { required: true, ...json(personWish, 'The address, and the own password') } },
        responses: { 200: json(personExport, 'Everything'), ...refusedForNow },
      }),
      async (c) => {
        const found = await exportPerson(c.var.ctx, c.req.valid('json'), placeOf(c))
        const name = `privacy-${found.exportedAt.slice(0, 10)}.json`
        return c.json(found, 200, {
          'Content-Disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        })
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/privacy/erase',
        ...both,
        summary: 'Erase everything about an address',
        description:
          'All of it or nothing: messages, letters, the account, and who it was in the log. Needs the password of the one who asks. The log keeps that it was done, without the address.',
        request: { body: { required: true, ...json(personWish, 'The address, and the own password') } },
        responses: {
          200: json(personErased, 'How much there was'),
          ...refusedForNow,
          403: refused(
            'A right is missing, the account holds one that you do not (`right_not_held`), or who has no password must sign in again first (`password_needed`)',
          ),
          409: refused('Your own account (`own_account`), or the last user who can manage users (`last_manager`)'),
        },
      }),
      async (c) => c.json(await erasePerson(c.var.ctx, c.req.valid('json'), placeOf(c)), 200),
    )
