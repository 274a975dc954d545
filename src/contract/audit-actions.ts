/**
 * The audited actions, by the area that the log is filtered by. Names are permanent, because rows store them; their
 * labels are in `i18n` at `audit.actions.<name>`.
 */
export const auditedActions = {
  users: [
    'user.created',
    'user.updated',
    'user.deleted',
    'user.blocked',
    'user.unblocked',
    'user.role_given',
    'user.password_set',
    'user.password_link_made',
    'user.notified',
    'user.two_factor_off',
    'user.provider_linked',
    'users.exported',
  ],
  messages: [
    'message.answered',
    'message.unanswered',
    'message.replied',
    'message.noted',
    'message.spam',
    'message.not_spam',
    'message.deleted',
    'messages.exported',
    'letters.retried',
  ],
  privacy: ['privacy.exported', 'privacy.erased'],
  roles: ['role.created', 'role.updated', 'role.deleted'],
  files: ['file.uploaded', 'file.updated', 'file.replaced', 'file.deleted'],
  pages: [
    'page.created',
    'page.updated',
    'page.published',
    'page.unpublished',
    'page.planned',
    'page.duplicated',
    'page.binned',
    'page.unbinned',
    'page.deleted',
    'page.restored',
    'page.offered',
    'page.withdrawn',
    'page.returned',
    'redirect.created',
    'redirect.updated',
    'redirect.deleted',
  ],
  config: ['config.changed', 'config.imported', 'config.restored'],
  profile: [
    'profile.changed',
    'profile.email_asked',
    'profile.email_changed',
    'profile.email_withdrawn',
    'profile.password_changed',
    'profile.two_factor_on',
    'profile.two_factor_off',
    'profile.recovery_codes_renewed',
    'profile.passkey_added',
    'profile.passkey_renamed',
    'profile.passkey_removed',
    'profile.session_ended',
    'profile.sessions_ended',
  ],
} as const
export type AuditArea = keyof typeof auditedActions
export type AuditAction = (typeof auditedActions)[AuditArea][number]

export const auditActions: AuditAction[] = Object.values(auditedActions).flat()
