import type { RefusalCode } from '../../contract/errors.ts'

export const errors = {
  invalid: { title: 'Not everything is filled in correctly', detail: 'Check the fields with a message.' },
  malformed: { title: 'Unreadable request', detail: 'The server cannot read this request.' },
  wrong_login: {
    title: 'Incorrect sign-in details!',
    detail: 'Check the user name and the password and try again.',
  },
  signed_out: { title: 'You are not signed in', detail: 'Sign in and try again.' },
  not_allowed: { title: 'No access', detail: 'You do not have the right to do this.' },
  right_not_held: { title: 'No access', detail: 'You cannot give or take away rights that you do not have yourself.' },
  page_locked: {
    title: 'Part of this page is locked',
    detail: 'With your role you can only change text and images here.',
  },
  password_needed: {
    title: 'Confirm that it is you',
    detail: 'You signed in more than ten minutes ago. Enter your password again.',
  },
  password_expired: {
    title: 'Choose a new password first',
    detail:
      'Somebody else chose your password, and you may do more now than you could then. You will receive an email with a link to choose a password yourself.',
  },
  link_ended: {
    title: 'This link no longer works',
    detail: 'The link has been used or has expired. Ask for a new one.',
  },
  stale: {
    title: 'Somebody else was first',
    detail: 'This has been changed meanwhile. Nothing was overwritten; have a look at what is there now.',
  },
  last_manager: {
    title: 'This is not possible',
    detail: 'This is the last person who can manage users or roles. Give somebody else that right first.',
  },
  role_in_use: { title: 'This role is in use', detail: 'Give the users with this role another role first.' },
  base_role: { title: 'This is not possible', detail: 'Every user has the base role, so it cannot be deleted.' },
  own_account: { title: 'This is not possible', detail: 'You cannot block or delete your own account.' },
  file_in_use: {
    title: 'This file is in use',
    detail: 'Remove it from the places where it is used. Then you can delete it.',
  },
  section_in_use: {
    title: 'This section is in use',
    detail: 'Remove it from the places where it is used, or detach it there. Then you can delete it.',
  },
  fixed_page: {
    title: 'This is not possible',
    detail: 'The home page, the privacy statement and the disclaimer belong to the website, so they stay.',
  },
  page_in_bin: { title: 'This page is in the bin', detail: 'Restore it first. Then you can continue.' },
  page_not_in_bin: {
    title: 'This page is not in the bin',
    detail: 'Only what is in the bin can be restored or deleted for good.',
  },
  nothing_to_review: {
    title: 'There is nothing to review',
    detail: 'The website already shows this text. Save a change first.',
  },
  review_ended: {
    title: 'This has been dealt with',
    detail:
      'Somebody else has decided about this text meanwhile, or another text has been submitted. Have a look at what is there now.',
  },
  review_waits: {
    title: 'Somebody else has submitted this page already',
    detail: 'Have a look at what differs, and choose whether you add to it or take it over.',
  },
  forged: { title: 'Refused', detail: 'This request came from another website.' },
  not_found: { title: 'Page Not Found', detail: 'There is nothing at this address.' },
  gone: { title: 'Page Not Found', detail: 'The page at this address was deleted and will not return.' },
  method_not_allowed: { title: 'This is not possible here', detail: 'This address does not support this method.' },
  too_large: { title: 'Too large', detail: 'What you are sending is larger than the server accepts.' },
  url_too_long: { title: 'The address is too long', detail: 'This address is longer than the server reads.' },
  unsupported_type: { title: 'This format is not possible here', detail: 'Send a form or JSON.' },
  too_many: {
    title: 'One moment please',
    detail: 'You have tried this too often in a short time. Try again in a few minutes.',
  },
  contact_failed: {
    title: 'Your message has not been sent!',
    detail: 'Something went wrong while sending your message.',
  },
  contact_unavailable: {
    title: 'Your message has not been sent!',
    detail: 'Something went wrong while sending your message.',
  },
  unexpected: { title: 'Internal Server Error', detail: 'Something went wrong. Try again later.' },
  unavailable: {
    title: 'Unavailable for a moment',
    detail: 'The server cannot process this right now. Try again in a moment.',
  },
  storage_unavailable: {
    title: 'The file storage cannot be reached',
    detail: 'Files cannot be stored or shown at the moment. Nothing is lost; try again in a moment.',
  },
  storage_full: {
    title: 'There is no more room for files',
    detail: 'The storage is full. Delete files that are no longer needed, or ask the administrator for more room.',
  },
} satisfies Record<RefusalCode, { title: string; detail: string }>
