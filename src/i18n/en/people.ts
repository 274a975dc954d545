export const signIn = {
  login: {
    title: 'Sign in',
    lead: 'Manage your website, messages and users.',
    identifier: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgotten your password?',
    or: 'or',
    provider: 'Sign in with your organisation',
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'Signing in with a passkey did not work. Try again or use your password.',
    wait: 'You can try again in {{time}}.',
  },
  code: {
    title: 'One more step',
    lead: 'Open your authenticator app and enter the six-digit code.',
    code: 'Code',
    recovery: 'No access to the app? Then enter one of your recovery codes.',
    submit: 'Confirm',
    back: 'Back to signing in',
  },
  logout: {
    title: 'Sign out',
    lead: 'You are signed in as {{name}}',
    submit: 'Sign out',
  },
  forgotten: {
    title: 'Forgotten your password?',
    lead: 'Enter your email address. You will receive a link to choose a new password.',
    submit: 'Send me a link',
    sentTitle: 'Look in your mailbox',
    sentText:
      'If we know this address, you will find an email with a link there within a few minutes. It works once, for one hour. No email? Check your spam folder too.',
    notSentTitle: 'No email has been sent',
    noMail: 'This website cannot send email yet. Ask an administrator for a link to choose a new password.',
  },
  password: {
    title: 'Choose a password',
    lead: 'For the account of {{email}}. You will be signed out in other browsers.',
    password: 'New password',
    repeat: 'Repeat the password',
    hint: 'At least {{chars}} characters. A sentence that only you know is strong and easy to remember.',
    submit: 'Save password',
    again: 'Ask for a new link',
  },
  email: {
    title: 'Confirm your email address',
    lead: 'With one click this becomes the address of your account. From then on you sign in with it.',
    submit: 'Confirm',
  },
  setup: {
    title: 'Welcome!',
    lead: 'You are the first. Create your account; with it you manage the website and all users.',
    name: 'Your name',
    submit: 'Create account',
    endedText:
      'This link has been used or has expired. Sign in, or restart the program if there is no administrator yet.',
  },
  notice: {
    passwordSet: 'Your password has been saved. You can sign in with it now.',
    emailConfirmed: 'Your email address has been changed.',
    ready: 'Your account is ready. Sign in to begin.',
    again: 'Signing in took too long, or the code was wrong too often. Sign in again.',
    providerSilent:
      'The sign-in service does not respond at the moment. Sign in with your password or try again later.',
    providerRefused:
      'Signing in with this account did not work. Sign in with your password or ask an administrator for help.',
  },
  mail: {
    subject: 'Your password at {{brand}}',
    title: 'Choose a new password',
    intro:
      'You asked for a new password for your account at {{brand}}. With this link you choose it yourself. It works once, for one hour. If you did not ask for this, you need not do anything: your password stays as it is.',
    link: 'Your link',
    action: 'Choose a password',
  },
}

export const profile = {
  mail: {
    at: 'When',
    newEmail: 'New email address',
    passkey: 'Passkey',
    link: 'Link',
    confirmEmail: {
      title: 'Confirm your new email address',
      intro:
        'You want to sign in at {{brand}} with this address from now on. Confirm that with the button below. The link works once, until {{minutes}} minutes after your request. If you did not ask for this, you need not do anything.',
      action: 'Confirm email address',
    },
    emailAsked: {
      title: 'A new email address has been requested',
      intro:
        'Another email address has been given for your account at {{brand}}. Nothing changes until that address is confirmed. Was this not you? Then sign in and choose a new password at once: that cancels the request.',
    },
    emailTaken: {
      title: 'This email address is already in use',
      intro:
        'Somebody wanted to move another account at {{brand}} to this address. It belongs to your own account already, so nothing has changed. If that was you, sign in with this address. Otherwise you need not do anything.',
    },
    emailChanged: {
      title: 'Your email address has been changed',
      intro:
        'Your account at {{brand}} has another email address from now on; you sign in with that. Was this not you? Then contact us at once.',
    },
    passwordChanged: {
      title: 'Your password has been changed',
      intro:
        'Your account at {{brand}} has a new password. You have been signed out on other devices. Was this not you? Then ask for a new password on the sign-in page at once.',
    },
    twoFactorOn: {
      title: 'Two-step sign-in is on',
      intro:
        'For your account at {{brand}} a code from your authenticator app is needed after the password from now on. You have been signed out on other devices. Was this not you? Then contact us at once.',
    },
    twoFactorOff: {
      title: 'Two-step sign-in is off',
      intro:
        'For your account at {{brand}} a code from an authenticator app is no longer needed. Was this not you? Then sign in, choose a new password and turn the second step on again.',
    },
    recoveryCodes: {
      title: 'You have new recovery codes',
      intro:
        'New recovery codes have been made for your account at {{brand}}; the old ones no longer work. Was this not you? Then sign in, choose a new password and make recovery codes again.',
    },
    passkeyAdded: {
      title: 'A passkey has been added',
      intro:
        'With this passkey you can sign in to your account at {{brand}} without a password. Was this not you? Then sign in, remove the passkey and choose a new password.',
    },
    passkeyRemoved: {
      title: 'A passkey has been removed',
      intro:
        'With this passkey you can no longer sign in to your account at {{brand}}. Was this not you? Then sign in and choose a new password.',
    },
  },
}

export const users = {
  csv: {
    id: 'Number',
    name: 'Name',
    email: 'Email',
    role: 'Role',
    blocked: 'Blocked',
    locale: 'Language',
    twoFactor: 'Two-step sign-in',
    lastSignedInAt: 'Last signed in',
    createdAt: 'Added',
    yes: 'yes',
    no: 'no',
    file: 'users',
  },
  mail: {
    name: 'Name',
    email: 'Sign in with',
    password: 'Password',
    link: 'Link',
    newUser: {
      title: 'Your account is ready',
      intro: 'An account has been made for you at {{brand}}. Below you find what to sign in with.',
    },
    updatedUser: {
      title: 'Your account has been changed',
      intro: 'An administrator of {{brand}} has changed your account. Below you find what to sign in with from now on.',
    },
    changeIt:
      'After signing in, choose a password of your own in your profile: a password that has been in an email is no longer secret.',
    signIn: 'Sign in',
    invitation: {
      title: 'Choose your password',
      intro:
        'An administrator of {{brand}} sends you this link for your account. With it you choose a password yourself. The link works once, until {{until}}.',
      action: 'Choose a password',
    },
  },
}

/** Texts of the page with all personal data that a person receives. */
export const privacyExport = {
  title: 'Your data at {{brand}}',
  messages: 'Messages that you sent',
  emails: 'Emails to you',
  account: 'Your account',
  changes: 'Actions in the audit log',
  none: 'none',
  yes: 'yes',
  no: 'no',
  saveFile: 'Save',
  states: { waiting: 'waits to be sent', sent: 'sent', failed: 'not delivered', file: 'not sent' },
  folders: { inbox: 'Inbox', spam: 'Spam' },
  fields: {
    id: 'Number',
    reference: 'Reference number',
    form: 'Form',
    answers: 'What you filled in',
    label: 'Question',
    files: 'Files',
    type: 'Type of file',
    bytes: 'Size in bytes',
    url: 'Address, for those who may read messages',
    content: 'The file',
    naam: 'Name',
    email: 'Email',
    tel: 'Telephone',
    bericht: 'Message',
    locale: 'Language',
    folder: 'Folder',
    spamReason: 'Why spam',
    spamReasons: 'Spam rules',
    rule: 'Rule',
    points: 'Points',
    page: 'Page',
    privacyVersion: 'Version of the privacy statement',
    readAt: 'Read',
    answeredAt: 'Answered',
    note: 'Staff note',
    createdAt: 'Created',
    replies: 'Replies',
    text: 'Text',
    by: 'Written by',
    at: 'When',
    kind: 'Kind of email',
    state: 'State',
    sentAt: 'Sent',
    name: 'Name',
    blocked: 'Blocked',
    role: 'Role',
    twoFactor: 'Two-step sign-in',
    lastSignedInAt: 'Last signed in',
    updatedAt: 'Last changed',
    sessions: 'Signed-in browsers',
    since: 'Signed in since',
    lastUsedAt: 'Last used',
    ipAddress: 'IP address',
    browser: 'Browser',
    passkeys: 'Passkeys',
    addedAt: 'Added',
    signsInBy: 'Ways to sign in',
    way: 'Way',
    leftOut: 'Not in this export',
    action: 'What happened',
    bySelf: 'By this person',
  },
}
