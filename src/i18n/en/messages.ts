/** Texts about messages for staff. Texts for visitors are in `contact`, and those of emails in `mail`. */
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

/** Texts of the outbox. The subjects and texts of the emails are in `mail`. */
export const outbox = {
  /** The email templates, as the list of the outbox names them. */
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
    healthAlarm: 'Alarm about the website',
    monthlyReport: 'Monthly report of the website',
  },
  /** The emails in the previews; a template may have several. */
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
    pageAdded: 'Notice: submission added to',
    pageTakenOver: 'Notice: submission taken over',
    healthAlarm: 'Alarm: something is wrong, or well again',
    monthlyReport: 'Monthly report of the website',
  },
  sample: {
    page: 'About us',
    offered: 'The prices are up to date. Could you look at the second paragraph in particular?',
    returned: 'Almost there. Please mention the opening hours too.',
    added: 'I have added the opening hours.',
    takenOver: 'I will finish this, as we discussed.',
    message:
      'Good afternoon,\n\nWe are looking for a new website for our shop. What would that cost, roughly?\n\nKind regards,\nEmma Carter',
    reply:
      'Dear {{name}},\n\nThank you for your message. We will call you tomorrow to talk about it.\n\nKind regards,\n{{brand}}',
    passkey: 'Emma’s laptop',
  },
}

export const mail = {
  footer: 'This email was sent by the website of {{brand}}.',
  telephone: 'Tel.',
  kvk: 'Chamber of commerce',
  vat: 'VAT no.',
  test: {
    title: 'Test email',
    intro: 'This email is a test by the website of {{brand}}. It arrived, so sending works.',
    at: 'Sent on',
  },
  message: {
    title: 'New contact message',
    intro:
      'This message came in through your website. If you reply to this email, your answer goes straight to the sender.',
    naam: 'Name',
    email: 'Email',
    tel: 'Telephone',
    bericht: 'Message',
    reference: 'Reference number',
    received: 'Received',
    reply: 'Reply',
    appointment: 'Proposed appointment: {{name}}',
  },
  answer: {
    title: 'Your message to {{brand}}',
    appointment: 'Proposed appointment with {{brand}}',
    quote: 'On {{date}} you wrote:',
  },
  contactChange: {
    title: 'Recipients or sender changed',
    intro:
      'Until now you received the contact messages of {{brand}}. The recipients or the sender have been changed. Is this not right? Then contact whoever manages the website at once.',
    form: 'Form',
    recipients: 'Recipients now',
    formRemoved: 'none, because the form was removed',
    sender: 'Sender now',
    by: 'Changed by',
    operator: 'the administrator of the server',
    at: 'Changed on',
  },
  healthAlarm: {
    beganTitle: 'Something is wrong with the website of {{brand}}',
    beganIntro:
      'The website checked itself and found something wrong twice in a row. Each line says what you can do. You get no further email about this until it is resolved.',
    overTitle: 'The problem with the website of {{brand}} is resolved',
    overIntro: 'What was wrong works again. You do not need to do anything.',
    overLabel: 'Working again: {{label}}',
  },
  monthlyReport: {
    title: 'Your website, {{period}}',
    until: 'to',
    introWell: 'This is how the website of {{brand}} did, {{period}}. All is well.',
    introUnseen_one:
      'This is how the website of {{brand}} did, {{period}}. Nothing is wrong; {{count, number}} part could not be checked.',
    introUnseen_other:
      'This is how the website of {{brand}} did, {{period}}. Nothing is wrong; {{count, number}} parts could not be checked.',
    introTrouble:
      'This is how the website of {{brand}} did, {{period}}. What needs your attention is listed at the end.',
    visits: 'Visits',
    messages: 'Messages',
    answered: 'Answered',
    compared: '{{count, number}} (the month before {{before, number}})',
    answeredWithin: '{{count, number}}, half of them within {{within}}',
    proofs: 'Trial restores of backups',
    proofsProved: '{{count, number}} of {{nights, number}} nights proved',
    proofsFailed: '{{count, number}} failed',
    proofsUnknown: '{{count, number}} could not tell',
    proofsMissing: '{{count, number}} without a trial',
  },
  review: {
    page: 'Page',
    language: 'Language',
    link: 'Link',
    note: '{{name}} writes:',
    offered: {
      title: 'To review: {{title}}',
      intro:
        '{{name}} has submitted a page for review. Have a look at what has changed and publish it, or send it back.',
      action: 'View page',
    },
    returned: {
      title: 'Sent back: {{title}}',
      intro: '{{name}} has looked at your page and sends it back. This change has not been published yet.',
      action: 'Continue working',
    },
    added: {
      title: 'Added to: {{title}}',
      intro:
        '{{name}} has added to the page that you submitted for review, and has submitted it again. If it is sent back, both of you are told.',
      action: 'View page',
    },
    takenOver: {
      title: 'Taken over: {{title}}',
      intro:
        '{{name}} has taken over the page that you submitted for review, and has submitted it again. Your text is in the history of the page.',
      action: 'View page',
    },
  },
}
