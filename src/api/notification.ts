import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { emailNotification } from '../contract/users.ts'
import { notifyUser } from '../domain/users/notify-user.ts'
import { createApi, json, refused } from '../http/api.ts'
import { placeOf } from '../http/place.ts'

const promised = z.object({ to: z.string() }).meta({ id: 'NotificationPromised' })

/** `POST /notification/email`. */
export const notificationApi = () =>
  createApi().openapi(
    createRoute({
      method: 'post',
      path: '/notification/email',
      rights: ['users.write'],
      summary: 'Send a user the letter about their account',
      description:
        'Only to the address of a user whom you may change. The letter says what is stored; a password is told only when it is the one of that user, and is kept no longer than until the letter is sent.',
      request: { body: { required: true, ...json(emailNotification, 'Which letter, and to whom') } },
      responses: {
        200: json(promised, 'On its way'),
        403: refused('The right is missing, or the user holds a right that you do not (`right_not_held`)'),
        429: refused('Too many letters; Retry-After says when to come back'),
      },
    }),
    async (c) => c.json(await notifyUser(c.var.ctx, c.req.valid('json'), placeOf(c)), 200),
  )
