import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { kindsQuery, outboxQuery, readLettersSearch, readOutboxSearch, toSeeMail } from '../features/outbox/outbox.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/mail',
  validateSearch: readOutboxSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeMail, outboxQuery(deps)),
  component: laterScreen(() => import('../features/outbox/outbox-page.tsx'), 'OutboxPage'),
})

export const lettersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/mail/letters',
  validateSearch: readLettersSearch,
  loader: ({ context }) => prefetch(context, toSeeMail, kindsQuery),
  component: laterScreen(() => import('../features/outbox/letters-page.tsx'), 'LettersPage'),
})
