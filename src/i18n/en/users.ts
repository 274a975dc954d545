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
