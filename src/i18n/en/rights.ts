/** The names of rights, by right: `users.read` is `rights.names.users.read`. */
export const rights = {
  groups: {
    users: 'Users and roles',
    pages: 'Pages and files',
    messages: 'Messages and email',
    site: 'Website',
  },
  roles: { registered: 'Registered', administrator: 'Administrator', editor: 'Editor' },
  names: {
    users: {
      read: {
        label: 'View users',
        explanation: 'Sees who has an account, with which role, and exports the list.',
      },
      write: {
        label: 'Manage users',
        explanation:
          'Adds, changes, blocks and deletes users and gives them a role, but never more rights than their own.',
      },
    },
    roles: {
      write: {
        label: 'Manage roles',
        explanation: 'Adds, changes and deletes roles, but never with more rights than their own.',
      },
    },
    pages: {
      write: {
        label: 'Write pages',
        explanation: 'Adds and changes pages as drafts. Visitors do not see anything of that yet.',
      },
      publish: {
        label: 'Publish pages',
        explanation: 'Puts pages on the website, takes them off, and restores an earlier version.',
      },
    },
    files: {
      write: {
        label: 'Manage files',
        explanation: 'Uploads, changes and deletes images and other files.',
      },
    },
    messages: {
      read: {
        label: 'Read messages',
        explanation: 'Reads what visitors sent with the contact form, also what was put aside as spam.',
      },
      write: {
        label: 'Handle messages',
        explanation: 'Answers messages, makes notes, moves them between the folders and deletes them.',
      },
    },
    mail: {
      read: {
        label: 'View outgoing email',
        explanation: 'Sees which emails wait, were sent or failed, and sends failed ones again.',
      },
    },
    config: {
      write: {
        label: 'Set up the website',
        explanation: 'Changes brand, colours, menus, company details and the contact form.',
      },
    },
    audit: {
      read: {
        label: 'View the audit log',
        explanation: 'Sees who changed what and when, with the values before and after.',
      },
    },
  },
}
