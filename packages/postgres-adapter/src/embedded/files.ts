import { Data, Effect } from "effect"
import * as Fs from "node:fs/promises"
import { dirname } from "node:path"
import { type Account, isRoot } from "./Account.ts"

/** File access that the system refuses, with its message. */
export class FilesRefused extends Data.TaggedError("FilesRefused")<{
  readonly code: string
  readonly message: string
}> {}

export const withFiles = <A>(use: (fs: typeof Fs) => Promise<A>) =>
  Effect.tryPromise({
    try: () => use(Fs),
    catch: (cause) =>
      new FilesRefused({
        code: cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown",
        message: cause instanceof Error ? cause.message : String(cause)
      })
  })

/** Whether the system refused for one of these reasons. */
export const refusedFor =
  (...codes: ReadonlyArray<string>) =>
  ({ code }: FilesRefused) =>
    codes.includes(code)

/** Entry at this path, without following links; `null` if none exists. */
export const lookAt = (path: string) =>
  Effect.catchIf(
    withFiles((fs) => fs.lstat(path)),
    refusedFor("ENOENT", "ENOTDIR"),
    () => Effect.succeed(null)
  )

/** Changes the owner of a file or folder. Applies to the opened entry, even if another one has taken its name. */
export const giveTo = (path: string, account: Account) =>
  withFiles(async (fs) => {
    const handle = await fs.open(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    await handle.chown(account.uid, account.gid).finally(() => handle.close())
  })

/** Folder that belongs to the user of this process or to root, and that no other user can write to; `null` otherwise. */
export const isOurs = Effect.fnUntraced(function* (path: string) {
  const found = yield* lookAt(path)
  if (found === null || !found.isDirectory()) return false
  const owners = [0, process.geteuid?.() ?? 0]
  return process.platform === "win32" || (owners.includes(found.uid) && (found.mode & 0o022) === 0)
})

const ancestors = (path: string): ReadonlyArray<string> => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...ancestors(parent)]
}

/** Whether the account can traverse this folder. */
const isOpenTo = (
  { gid, uid }: Account,
  folder: { readonly mode: number; readonly uid: number; readonly gid: number }
) => (folder.mode & (folder.uid === uid ? 0o100 : folder.gid === gid ? 0o010 : 0o001)) !== 0

/** Whether the account can reach this folder by its real path. */
export const canReach = Effect.fnUntraced(function* (account: Account, path: string) {
  for (const folder of ancestors(path)) {
    if (!isOpenTo(account, yield* withFiles((fs) => fs.stat(folder)))) return false
  }
  return true
})

/** Makes a closed folder of root traversable for the server's user, but not listable. */
export const letThrough = Effect.fnUntraced(function* (account: Account, path: string) {
  const folder = yield* withFiles((fs) => fs.stat(path))
  if (isOpenTo(account, folder) || !isRoot) return
  yield* giveTo(path, { uid: folder.uid, gid: account.gid })
  yield* withFiles((fs) => fs.chmod(path, (folder.mode & 0o707) | 0o010))
})
