import { createRoute } from '@tanstack/react-router'
import { laterScreen } from '../components/later.tsx'
import { messageQuery, messagesQuery, readMessageSearch, toSeeMessages } from '../features/messages/messages.ts'
import { prefetch } from './prefetch.ts'
import { rootRoute } from './root.ts'

export const messagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/messages',
  validateSearch: readMessageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => prefetch(context, toSeeMessages, messagesQuery(deps)),
  component: laterScreen(() => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
})

export const messageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin/messages/$id',
  loader: ({ context, params }) => prefetch(context, toSeeMessages, messageQuery(Number(params.id))),
  component: laterScreen(() => import('../features/messages/message-page.tsx'), 'MessagePage'),
})
