/** What is wanted and was not agreed to. Who may write may read. */
export const missingScopes = (wanted: ReadonlyArray<string>, granted: ReadonlyArray<string>): ReadonlyArray<string> =>
  wanted.filter((scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/u, "write_")))
