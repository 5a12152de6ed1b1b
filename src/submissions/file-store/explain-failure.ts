/**
 * Says what to do about failures of SQLite and of the file system. Failures are recognised by their
 * messages, because not every runtime gives a code with each error of SQLite.
 */
const remedies: readonly (readonly [message: RegExp, remedy: string])[] = [
  [
    /is locked|locking protocol/u,
    "another program holds its lock: end the transaction of that program, such as a " +
      "backup or an open sqlite3, and call again",
  ],
  [/is full|ENOSPC|EDQUOT/u, "free some space on its disk, and call again"],
  [
    /readonly|unable to open|EACCES|EPERM|EROFS/u,
    "let this process write to the file and to its folder, where SQLite keeps two more files, " +
      "or give a path elsewhere",
  ],
  [/ENOENT/u, "create its folder first"],
  [/ENOTDIR/u, "a part of its path is a file: give the path of a file in a folder"],
  [
    /not a database/u,
    "give the path of a new file; if this was a store, it is damaged: restore it from a backup",
  ],
  [/malformed/u, "it is damaged: restore it from a backup, and compare that with jobs.list()"],
  [
    /disk I.O error/u,
    "check that its disk has space, works, and is a local one, and that nothing has removed the " +
      "files beside it",
  ],
];

/** Explains why a step failed and, where that is known, what to do about it. */
export const explainFailure = (cause: unknown): string => {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/gu, " ");
  const remedy = remedies.find(([message]) => message.test(reason))?.[1];
  return remedy === undefined ? reason : `${reason}: ${remedy}`;
};

/** Returns whether a step failed because another program holds the lock of the file. */
export const isLocked = (cause: unknown): boolean =>
  cause instanceof Error && /is locked|locking protocol/u.test(cause.message);
