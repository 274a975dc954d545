import { createRoute, redirect } from '@tanstack/react-router'
import { lazyScreen } from '../components/lazy-part.tsx'
import { auditQuery, readAuditSearch } from '../features/audit/audit.ts'
import {
  configQuery,
  configReadRights,
  readRevisionSearch,
  revisionQuery,
  revisionsQuery,
} from '../features/config/config.ts'
import { healthQuery } from '../features/health/health.ts'
import {
  dashboardQuery,
  defaultViewPeriod,
  messagesPerDayQuery,
  readHomeSearch,
  viewReadRights,
  viewsQuery,
} from '../features/home/dashboard.ts'
import { mailServerQuery } from '../features/mail/mail.ts'
import { messageQuery, messageReadRights, messagesQuery, readMessageSearch } from '../features/messages/messages.ts'
import {
  emailKindsQuery,
  mailReadRights,
  outboxQuery,
  readEmailPreviewSearch,
  readOutboxSearch,
} from '../features/outbox/outbox.ts'
import { profileQuery, sessionsQuery } from '../features/profile/profile.ts'
import { roleQuery, roleReadRights, rolesQuery } from '../features/roles/roles.ts'
import { defaultPeriodDays, readStatisticsSearch, statisticsQuery } from '../features/statistics/statistics.ts'
import { readUserSearch, userQuery, userReadRights, usersQuery } from '../features/users/users.ts'
import { prefetch, rootRoute, searchOptions } from './root.ts'

const configTexts = ['blocks', 'config'] as const

export const administrationRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/user',
    ...searchOptions(readHomeSearch),
    loader: ({ context, deps }) => {
      prefetch(context, [], dashboardQuery)
      prefetch(context, messageReadRights, messagesPerDayQuery)
      prefetch(context, viewReadRights, viewsQuery(deps.days ?? defaultViewPeriod))
      prefetch(context, [], profileQuery)
      prefetch(context, [], sessionsQuery)
    },
    component: lazyScreen(() => import('../features/home/home.tsx'), 'Home', ['health']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/statistics',
    ...searchOptions(readStatisticsSearch),
    loader: ({ context, deps }) => prefetch(context, viewReadRights, statisticsQuery(deps.days ?? defaultPeriodDays)),
    component: lazyScreen(() => import('../features/statistics/statistics-page.tsx'), 'StatisticsPage', ['statistics']),
  }),
  // `/admin` itself is the overview.
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin',
    beforeLoad: () => {
      throw redirect({ to: '/user', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/users',
    ...searchOptions(readUserSearch),
    loader: ({ context, deps }) => prefetch(context, userReadRights, usersQuery(deps)),
    component: lazyScreen(() => import('../features/users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/users/new',
    component: lazyScreen(() => import('../features/users/user-page.tsx'), 'NewUserPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/users/$id',
    loader: ({ context, params }) => prefetch(context, userReadRights, userQuery(Number(params.id))),
    component: lazyScreen(() => import('../features/users/user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/roles',
    loader: ({ context }) => prefetch(context, roleReadRights, rolesQuery),
    component: lazyScreen(() => import('../features/roles/roles-page.tsx'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/roles/new',
    component: lazyScreen(() => import('../features/roles/role-page.tsx'), 'NewRolePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/roles/$id',
    loader: ({ context, params }) => prefetch(context, roleReadRights, roleQuery(Number(params.id))),
    component: lazyScreen(() => import('../features/roles/role-page.tsx'), 'RolePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/profile',
    loader: ({ context }) => {
      prefetch(context, [], profileQuery)
      prefetch(context, [], sessionsQuery)
    },
    component: lazyScreen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/health',
    loader: ({ context }) => prefetch(context, configReadRights, healthQuery),
    component: lazyScreen(() => import('../features/health/health-page.tsx'), 'HealthPage', ['health']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/privacy',
    component: lazyScreen(() => import('../features/privacy/privacy-page.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/audit',
    ...searchOptions(readAuditSearch),
    loader: ({ context, deps }) => prefetch(context, ['audit.read'], auditQuery(deps)),
    component: lazyScreen(() => import('../features/audit/audit-page.tsx'), 'AuditPage', ['config']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/backups',
    component: lazyScreen(() => import('../features/backup/backups-page.tsx'), 'BackupsPage', ['backups']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/messages',
    ...searchOptions(readMessageSearch),
    loader: ({ context, deps }) => prefetch(context, messageReadRights, messagesQuery(deps)),
    component: lazyScreen(() => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/messages/$id',
    loader: ({ context, params }) => prefetch(context, messageReadRights, messageQuery(Number(params.id))),
    component: lazyScreen(() => import('../features/messages/message-page.tsx'), 'MessagePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/mail',
    ...searchOptions(readOutboxSearch),
    loader: ({ context, deps }) => prefetch(context, mailReadRights, outboxQuery(deps)),
    component: lazyScreen(() => import('../features/outbox/outbox-page.tsx'), 'OutboxPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/mail/letters',
    validateSearch: readEmailPreviewSearch,
    loader: ({ context }) => prefetch(context, mailReadRights, emailKindsQuery),
    component: lazyScreen(() => import('../features/outbox/email-previews-page.tsx'), 'EmailPreviewsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/config',
    loader: ({ context }) => prefetch(context, configReadRights, configQuery),
    component: lazyScreen(() => import('../features/config/config-page.tsx'), 'ConfigPage', configTexts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/config/$part',
    loader: ({ context }) => prefetch(context, configReadRights, configQuery),
    component: lazyScreen(() => import('../features/config/part-page.tsx'), 'PartPage', configTexts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/config/mail',
    loader: ({ context }) => prefetch(context, configReadRights, mailServerQuery),
    component: lazyScreen(() => import('../features/mail/mail-page.tsx'), 'MailPage', ['config']),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/config/revisions',
    ...searchOptions(readRevisionSearch),
    loader: ({ context, deps }) => prefetch(context, configReadRights, revisionsQuery(deps)),
    component: lazyScreen(() => import('../features/config/revisions-page.tsx'), 'RevisionsPage', configTexts),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/config/revisions/$id',
    loader: ({ context, params }) => prefetch(context, configReadRights, revisionQuery(Number(params.id))),
    component: lazyScreen(() => import('../features/config/revisions-page.tsx'), 'RevisionPage', configTexts),
  }),
] as const
