/** Texts for staff who handle messages; the visitor's texts are in `contact` and `mail`. */
export const messages = {
  replyStart: 'Dear {{name}},\n\n\n\nKind regards,\n{{by}}\n{{brand}}',
  csv: {
    id: 'Reference number',
    createdAt: 'Received',
    naam: 'Name',
    email: 'Email',
    tel: 'Telephone',
    bericht: 'Message',
    folder: 'Folder',
    answeredAt: 'Answered',
    note: 'Note',
    form: 'Form',
    contact: 'contact form',
    inbox: 'inbox',
    spam: 'spam',
    file: 'messages',
  },
}

/** Texts of the outbox; those of the emails are with their subjects. */
export const outbox = {
  templates: {
    contactMessage: 'Contact message',
    messageReply: 'Reply to a visitor',
    userAccount: 'Message about an account',
    userInvitation: 'Invitation',
    passwordLink: 'Forgotten password',
    confirmEmail: 'Confirm an email address',
    profileNotice: 'Notice about an account',
    contactChange: 'Notice about contact messages',
    pageReview: 'Notice about a page to review',
  },
  kinds: {
    contactMessage: 'Contact message, to the company',
    messageReply: 'Reply to a visitor',
    newUser: 'New account',
    newUserPassword: 'New account, with a password',
    updatedUser: 'Changed account',
    updatedUserPassword: 'Changed account, with a password',
    userInvitation: 'Invitation to choose a password',
    passwordLink: 'Forgotten password',
    confirmEmail: 'Confirm a new email address',
    emailAsked: 'Notice: new email address requested',
    emailTaken: 'Notice: email address already in use',
    emailChanged: 'Notice: email address changed',
    passwordChanged: 'Notice: password changed',
    twoFactorOn: 'Notice: two-step sign-in on',
    twoFactorOff: 'Notice: two-step sign-in off',
    recoveryCodes: 'Notice: new recovery codes',
    passkeyAdded: 'Notice: passkey added',
    passkeyRemoved: 'Notice: passkey removed',
    contactChange: 'Notice: recipients or sender changed',
    pageOffered: 'Notice: page submitted for review',
    pageReturned: 'Notice: page sent back',
  },
  sample: {
    page: 'About us',
    offered: 'The prices are up to date. Could you look at the second paragraph in particular?',
    returned: 'Almost there. Please mention the opening hours too.',
    message:
      'Good afternoon,\n\nWe are looking for a new website for our shop. What would that cost, roughly?\n\nKind regards,\nEmma Carter',
    reply:
      'Dear {{name}},\n\nThank you for your message. We will call you tomorrow to talk about it.\n\nKind regards,\n{{brand}}',
    passkey: 'Emma’s laptop',
  },
}
