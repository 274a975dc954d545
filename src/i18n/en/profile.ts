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
