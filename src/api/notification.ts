import { z } from 'zod'
import { emailNotification } from '../contract/users.ts'
import { notifyUser } from '../domain/users/notify-user.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse } from '../http/api.ts'
import { clientOrigin } from '../http/client-origin.ts'

const accepted = z.object({ to: z.string() }).meta({ id: 'NotificationAccepted' })

/** `POST /notification/email`. */
export const notificationApi = () =>
  createApi().openapi(
    defineRoute('post', '/notification/email', {
      anyRight: ['users.write'],
      summary: 'Send a user the email about their account',
      description:
        'Only to the address of a user whom you may change. The email contains the stored data; it contains a password only if that is the password of the user, and the password is deleted once the email is sent.',
      request: { body: jsonBody(emailNotification, 'Which email, and to whom') },
      responses: {
        200: json(accepted, 'Queued'),
        403: refusalResponse('The right is missing, or the user holds a right that you do not (`right_not_held`)'),
        429: refusalResponse('Too many emails; try again after Retry-After'),
      },
    }),
    async (c) => c.json(await notifyUser(c.var.ctx, c.req.valid('json'), clientOrigin(c)), 200),
  )
