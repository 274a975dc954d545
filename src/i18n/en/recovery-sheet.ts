export const recoverySheet = `RECOVERY SHEET OF {{site}}
{{url}} · version {{version}} of the program · printed on {{date}}

Keep this sheet apart from the backups, where only those may read it who may restore the site.

The key of the backups:

  {{key}}

Type it as one word, without the spaces. Anybody who has it and a backup can read everything that is in the backup.
Without it nobody can open a backup.

To restore the site on this or another machine:

  1. Install the program: version {{version}} or a newer one.
  2. Bring a backup: a file etalage-….tar.age. They were written to {{folder}}
     Bring the file etalage-journal-….age and the folder etalage-files-… from beside it too.
  3. Stop the program, and run in its folder:

       {{command}}

  4. Start the program.

The files are made by age (https://age-encryption.org) and tar; both open them without this program too.
`
