import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { kindsQuery, outboxQuery, readLettersSearch, readOutboxSearch, toSeeMail } from '../features/outbox/outbox.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/mail',
  validateSearch: readOutboxSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeMail, outboxQuery(deps)),
  component: lazyRouteComponent(() => import('../features/outbox/outbox-page.tsx'), 'OutboxPage'),
})

export const lettersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/mail/letters',
  validateSearch: readLettersSearch,
  loader: ({ context }) => prefetch(context, toSeeMail, kindsQuery),
  component: lazyRouteComponent(() => import('../features/outbox/letters-page.tsx'), 'LettersPage'),
})
